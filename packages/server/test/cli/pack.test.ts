import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPackage, notePlugin } from './create-package.js';
import { runMortise } from './run-mortise.js';

describe('mortise pack', () => {
  it('builds, checks, and writes the tarball to the working directory; with --check it writes none', async () => {
    const workplace = createPackage();
    const checked = await runMortise(workplace, ['pack', 'notes', '--check']);
    expect(checked).toMatchObject({ code: 0, stdout: '✓ Ready to publish: @acme/notes 1.2.0, 5 files.\n', stderr: '' });
    expect(existsSync(join(workplace.folder, 'acme-notes-1.2.0.tgz'))).toBe(false);

    const { code, stdout } = await runMortise(workplace, ['pack', 'notes', '--json']);
    const tarball = join(workplace.folder, 'acme-notes-1.2.0.tgz');
    expect({ code, ...JSON.parse(stdout) }).toEqual({
      code: 0,
      valid: true,
      name: '@acme/notes',
      version: '1.2.0',
      tarball,
      files: ['LICENSE', 'README.md', 'dist/index.d.ts', 'dist/index.js', 'package.json'],
      problems: [],
    });
    expect(existsSync(tarball)).toBe(true);
  });

  it('shows each finding with its file and what to do, packs nothing, and ends with 1', async () => {
    const workplace = createPackage(
      { private: true, peerDependencies: undefined },
      {
        'src/index.js': `import '../helper.js';\nexport const key = 'ghp_${'a1B2'.repeat(9)}';\n${notePlugin('add note')}`,
        'helper.js': '',
        'src/.env': 'A=1',
      },
    );
    const { code, stdout } = await runMortise(workplace, ['pack', 'notes']);
    const at = (path: string) => join(workplace.folder, 'notes', path);
    expect(code).toBe(1);
    const found = [...stdout.matchAll(/^(.) .* \[(\w+)\]\n {4}(\S+).*\n {4}→ \S/gm)].map(([, ...parts]) =>
      parts.join(' '),
    );
    expect(found).toEqual([
      `✗ PACKAGE_PRIVATE ${at('package.json')}`,
      `✗ PACKAGE_PEER ${at('package.json')}`,
      `✗ FILE_SECRET ${at('dist/.env')}`,
      `✗ FILE_SECRET ${at('dist/index.js')}:2`,
      `✗ FILE_NOT_PUBLISHED ${at('helper.js')}`,
      `✗ TOOL_NAME_INVALID ${at('dist/index.js')}`,
    ]);
    expect(stdout).not.toContain('ghp_');
    expect(readdirSync(workplace.folder).filter((name) => name.endsWith('.tgz'))).toEqual([]);
  });

  it.each([['a package.json that does not parse', {}, { 'package.json': '{' }, 'PLUGIN_PACKAGE_INVALID']])(
    'refuses %s',
    async (_, manifest, files, expected) => {
      const { code, stdout } = await runMortise(createPackage(manifest, files), ['pack', 'notes', '--json']);
      const { valid, tarball, problems } = JSON.parse(stdout);
      expect({ code, valid, tarball }).toEqual({ code: 1, valid: false, tarball: null });
      expect(problems.map((problem: { code: string }) => problem.code)).toContain(expected);
    },
  );

  it('refuses a folder without a package.json', async () => {
    const { code, stderr } = await runMortise(createPackage(), ['pack', 'plugins']);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^mortise: .*plugins has no package\.json\.\n {2}→ /);
  });
});
