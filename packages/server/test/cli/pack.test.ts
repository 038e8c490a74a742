import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPackage, notePlugin } from './create-package.js';
import { runMortise } from './run-mortise.js';

/** Needs a setting, and has a tool with a name that is refused. */
const ISSUES = `
import { definePlugin, secretString } from '@mortise/plugin';
export default definePlugin({
  config: { token: secretString() },
  register: (api) => api.registerTool({ name: 'list issues', description: 'd', inputSchema: { type: 'object' }, run: () => 'x' }),
});`;

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
      neededSettings: [],
    });
    expect(existsSync(tarball)).toBe(true);
  });

  it('packs a plugin that needs a secret without the secret, and says that its tools were not checked', async () => {
    const workplace = createPackage({}, { 'src/index.js': ISSUES });
    const { code, stdout } = await runMortise(workplace, ['pack', 'notes', '--check']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `· The tools were not checked: the plugin does not load without Plugins.Settings.@acme/notes.token.
    → To check them too, name a settings file that has them: --config <file>.

✓ Ready to publish: @acme/notes 1.2.0, 5 files.
`,
    });
    const settings = { Plugins: { Settings: { '@acme/notes': { token: 'a-token-of-a-user' } } } };
    const config = workplace.write('with-token.json', JSON.stringify(settings));
    const checked = await runMortise(workplace, ['pack', 'notes', '--check', '--config', config]);
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain('[TOOL_NAME_INVALID]');
  });

  it('needs no variable that the settings of the plugin fetch', async () => {
    const workplace = createPackage({}, { 'src/index.js': ISSUES });
    const settings = { Plugins: { Settings: { '@acme/notes': { token: `\${env:NO_SUCH_TOKEN}` } } } };
    const config = workplace.write('with-token.json', JSON.stringify(settings));
    const { code, stdout } = await runMortise(workplace, ['pack', 'notes', '--check', '--config', config]);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('The tools were not checked') });
  });

  it('makes the package.json of a class in a folder without one, which lacks only the decisions of its author', async () => {
    const workplace = createPackage();
    workplace.write('plugins/My Greeting/index.mjs', `import './words.mjs';\n${notePlugin('greet')}`);
    for (const file of ['words.mjs', 'index.test.mjs']) workplace.write(`plugins/My Greeting/${file}`, '');
    const folder = join(workplace.folder, 'plugins/My Greeting');
    const missing = await runMortise(workplace, ['pack', folder, '--check']);
    expect(missing).toMatchObject({ code: 3, stderr: expect.stringContaining('without --check: it writes one.') });

    const { code, stdout } = await runMortise(workplace, ['pack', folder, '--json']);
    const { made, problems } = JSON.parse(stdout) as { made: string; problems: { code: string }[] };
    expect({ code, codes: problems.map((problem) => problem.code) }).toEqual({
      code: 1,
      codes: ['PACKAGE_LICENSE', 'README_MISSING'],
    });
    expect(JSON.parse(readFileSync(made, 'utf8'))).toEqual({
      name: 'my-greeting',
      version: '1.0.0',
      keywords: ['mortise-plugin', 'mcp'],
      exports: './index.mjs',
      files: ['index.mjs', 'words.mjs'],
      peerDependencies: { '@mortise/plugin': expect.stringMatching(/^\^\d/) },
    });
    workplace.write('plugins/My Greeting/README.md', '# Greeting');
    const manifest = { ...JSON.parse(readFileSync(made, 'utf8')), license: 'UNLICENSED' };
    writeFileSync(made, JSON.stringify(manifest));
    expect((await runMortise(workplace, ['pack', folder])).stdout).toMatch(
      /^✓ Ready to publish: my-greeting 1\.0\.0, 4 files\./,
    );
  });

  it('says how a plugin of one file becomes a package', async () => {
    const workplace = createPackage();
    const file = workplace.write('plugins/greet.mjs', notePlugin('greet'));
    const { code, stderr } = await runMortise(workplace, ['pack', file]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`mkdir ${file.slice(0, -4)} && mv ${file} ${file.slice(0, -4)}/index.mjs; then`),
    });
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
      `✗ TOOL_NAME_INVALID ${at('dist/index.js')}:4`,
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

  it('says of the folder of a C# project what to pack in its place', async () => {
    const workplace = createPackage({}, { 'hi/hi.csproj': '<Project />' });
    const { code, stderr } = await runMortise(workplace, ['pack', 'notes/hi']);
    expect(code).toBe(3);
    expect(stderr).toMatch(/hi is a C# project: .*\n {2}→ Run dotnet build .*, such as plugins\/hi\.\n$/);
  });

  it('refuses a folder without a package.json', async () => {
    const { code, stderr } = await runMortise(createPackage(), ['pack', 'plugins']);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^mortise: .*plugins has no package\.json, no index\.\* and no <folder>\.dll\.\n {2}→ /);
  });
});
