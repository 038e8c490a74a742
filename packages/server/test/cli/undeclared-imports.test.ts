import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { undeclaredImports } from '../../src/cli/shared/undeclared-imports.js';

const folder = mkdtempSync(join(tmpdir(), 'mortise-imports-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;

/** A plugin below a project that has `hoisted` and `@scope/hoisted` installed. */
function problemsOf(files: Record<string, string>, packageJson: object | null = { name: 'p' }) {
  const project = join(folder, String(count++));
  const root = join(project, 'plugins', 'p');
  for (const name of ['hoisted', '@scope/hoisted']) mkdirSync(join(project, 'node_modules', name), { recursive: true });
  const all = packageJson === null ? files : { ...files, 'package.json': JSON.stringify(packageJson) };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const candidate = { kind: 'module', name: 'p', path: root, directory: project, problems: [] } as const;
  return undeclaredImports({ ...candidate, entry: join(root, 'index.mjs'), root }).map(
    ({ severity, code, message, line }) => ({ severity, code, message: message.replace(project, ''), line }),
  );
}

const warning = (name: string, line = 1) => ({
  severity: 'warning',
  code: 'IMPORT_UNDECLARED',
  message: `It imports '${name}', which its package.json does not declare; it was found in ${join('/node_modules', name)}.`,
  line,
});

describe('an import that package.json does not declare', () => {
  it.each([
    ['import', "\nimport x from 'hoisted';", [warning('hoisted', 2)]],
    ['a part of a package', "import 'hoisted/part.js';", [warning('hoisted')]],
    ['a package of a scope', "await import('@scope/hoisted/part');", [warning('@scope/hoisted')]],
    ['require', 'const x = require("hoisted");', [warning('hoisted')]],
    ['one, however often', "import 'hoisted';\nimport 'hoisted';", [warning('hoisted')]],
    ['none that is not installed', "import 'nowhere';", []],
    ['no type', "import type { A } from 'hoisted';", []],
    ['no comment', "// import 'hoisted';\n/**\n * import 'hoisted';\n */", []],
    ['no module of Node', "import 'fs'; import 'node:fs/promises';", []],
    ['not itself', "import 'p';", []],
  ])('is found: %s', (_, code, problems) => {
    expect(problemsOf({ 'index.mjs': code })).toEqual(problems);
  });

  it('is found in what the entry imports', () => {
    expect(problemsOf({ 'index.mjs': "import './a.mjs';", 'a.mjs': "\n\nimport 'hoisted';" })).toEqual([
      warning('hoisted', 3),
    ]);
  });

  it.each(['dependencies', 'peerDependencies', 'optionalDependencies'])('is none with %s', (member) => {
    expect(problemsOf({ 'index.mjs': "import 'hoisted';" }, { name: 'p', [member]: { hoisted: '1' } })).toEqual([]);
  });

  it('is one with devDependencies, which are not installed where the plugin is used', () => {
    const packageJson = { name: 'p', devDependencies: { hoisted: '1' } };
    expect(problemsOf({ 'index.mjs': "import 'hoisted';" }, packageJson)).toEqual([warning('hoisted')]);
  });

  describe('of a package that writes the schemas of a library', () => {
    const installed = (name: string, version: string) => ({
      [`node_modules/${name}/package.json`]: JSON.stringify({ name, version }),
    });
    const zod3 = { ...installed('zod', '3.25.0'), ...installed('zod-to-json-schema', '3.25.0') };
    const valibot = { ...installed('valibot', '1.5.0'), ...installed('@valibot/to-json-schema', '1.8.0') };

    it.each([
      ['zod', 'zod-to-json-schema', zod3],
      ['valibot', '@valibot/to-json-schema', valibot],
    ])('is found where the author has it, though no code imports it: %s', (library, converter, files) => {
      const [problem, ...others] = problemsOf(
        { ...files, 'index.mjs': `import '${library}';` },
        { name: 'p', dependencies: { [library]: '*' }, devDependencies: { [converter]: '*' } },
      );
      expect(others).toEqual([]);
      expect(problem).toMatchObject({ severity: 'warning', code: 'IMPORT_UNDECLARED' });
      expect(problem!.message).toMatch(
        `Its schemas of ${library} need '${converter}', which its package.json does not declare; it was found in `,
      );
    });

    it.each([
      ['zod 4, which needs none', { ...zod3, ...installed('zod', '4.6.7') }],
      ['a plugin that does without it', installed('zod', '3.25.0')],
    ])('is none with %s', (_, files) => {
      const packageJson = { name: 'p', dependencies: { zod: '*' } };
      expect(problemsOf({ ...files, 'index.mjs': "import 'zod';" }, packageJson)).toEqual([]);
    });
  });

  it.each([[null], [{}], [{ name: 5 }]])('is not looked for with package.json %j', (packageJson) => {
    expect(problemsOf({ 'index.mjs': "import 'hoisted';" }, packageJson)).toEqual([]);
  });
});
