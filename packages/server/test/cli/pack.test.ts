import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkplace, type Workplace } from '../../../../test/support/workplace.js';
import { runMortise } from './run-mortise.js';

const MANIFEST = {
  name: '@acme/notes',
  version: '1.2.0',
  license: 'MIT',
  type: 'module',
  keywords: ['mortise-plugin'],
  exports: { types: './dist/index.d.ts', default: './dist/index.js' },
  files: ['dist'],
  peerDependencies: { '@mortise/plugin': '>=0.1.0' },
  scripts: { prepack: 'node build.mjs' },
};

const plugin = (name: string) => `
export const note = {
  name: '${name}', description: 'Adds a note.', inputSchema: { type: 'object', properties: {} },
  executeAsync: async () => ({ content: [] }),
};`;

/** A package whose `dist` is made by its script `prepack`. */
function createPackage(manifest: object = {}, files: Record<string, string> = {}): Workplace {
  const own = {
    'package.json': JSON.stringify({ ...MANIFEST, ...manifest }),
    'build.mjs':
      "import { cpSync } from 'node:fs';\ncpSync('src', 'dist', { recursive: true });\nconsole.log('built');",
    'src/index.js': plugin('note.add'),
    'src/index.d.ts': 'export declare const note: unknown;',
    'README.md': '# Notes',
    LICENSE: 'MIT',
    ...files,
  };
  return createWorkplace(Object.fromEntries(Object.entries(own).map(([path, text]) => [`notes/${path}`, text])));
}

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

    const again = await runMortise(workplace, ['pack'], { cwd: join(workplace.folder, 'notes') });
    expect(again.stdout).toContain('  → Publish it: npm publish ./acme-notes-1.2.0.tgz\n');
  });

  it('shows each finding with its file and what to do, packs nothing, and ends with 1', async () => {
    const workplace = createPackage(
      { private: true, peerDependencies: undefined },
      {
        'src/index.js': `import '../helper.js';\nexport const key = 'ghp_${'a1B2'.repeat(9)}';\n${plugin('add note')}`,
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
  }, 30_000);

  it.each([
    ['a script that fails', { scripts: { prepack: 'node missing.mjs' } }, {}, 'NPM_FAILED'],
    ['a plugin without tools', {}, { 'src/index.js': 'export const nothing = 1;' }, 'NO_TOOLS'],
    ['a package.json that does not parse', {}, { 'package.json': '{' }, 'PLUGIN_PACKAGE_INVALID'],
    ['a plugin for later versions', { peerDependencies: { '@mortise/plugin': '>=999' } }, {}, 'PLUGIN_API_MISMATCH'],
  ])(
    'refuses %s',
    async (_, manifest, files, expected) => {
      const { code, stdout } = await runMortise(createPackage(manifest, files), ['pack', 'notes', '--json']);
      const { valid, tarball, problems } = JSON.parse(stdout);
      expect({ code, valid, tarball }).toEqual({ code: 1, valid: false, tarball: null });
      expect(problems.map((problem: { code: string }) => problem.code)).toContain(expected);
    },
    30_000,
  );

  it('refuses a folder without a package.json', async () => {
    const { code, stderr } = await runMortise(createPackage(), ['pack', 'plugins']);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^mortise: .*plugins has no package\.json\.\n {2}→ /);
  });
});
