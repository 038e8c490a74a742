import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../scripts/check-imports.mjs', import.meta.url));

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** What the check prints about a repository with these files below packages/; [] where it passes. */
function check(files: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'imports-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, 'packages', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, folder], { encoding: 'utf8' });
  const lines = stderr.split('\n').filter((line) => line !== '');
  expect(status).toBe(lines.length === 0 ? 0 : 1);
  return lines;
}

describe('check-imports', () => {
  it('accepts imports of the same folder and of folders above in the list', () => {
    const files = {
      'server/src/util/a.ts': "import { b } from './b.js';\n",
      'server/src/util/b.ts': "import fs from 'node:fs';\n",
      'server/src/call/c.ts': "import type { A } from '../util/a.js';\nimport { x } from '@mortise/redact';\n",
      'server/src/json-schema/d.ts': "import { Ajv } from 'ajv/dist/2020.js';\n",
      'server/src/cli/commands/index.ts': '',
      'server/src/front/mcp/index.ts': '',
    };
    expect(check(files)).toEqual([]);
  });

  it.each([
    ['an import of a later folder', 'util/a.ts', "import { c } from '../call/c.js';", 'call comes after util'],
    ['a type of a later folder', 'util/a.ts', "import type { C } from '../call/c.js';", 'call comes after util'],
    [
      'a later folder that is loaded when needed',
      'util/a.ts',
      "await import('../call/c.js');",
      'call comes after util',
    ],
    [
      'a dependency that another folder has',
      'util/a.ts',
      "import { Ajv } from 'ajv';",
      'only json-schema/ compiles schemas',
    ],
    ['a file of another package', 'util/a.ts', "import '../../../redact/src/r.js';", 'a file of another package'],
    [
      'what a front end does not see',
      'front/mcp/a.ts',
      "import { c } from '../../call/c.js';",
      'as core/ describes it',
    ],
    ['the pipeline outside of the wiring', 'cli/shared/a.ts', "import '../../call/c.js';", 'only server.ts imports'],
    ['a file in no folder of the list', 'other/a.ts', '', 'is in no folder of the list'],
    ['a name that is there twice', 'util/c.ts', '', 'files of one name'],
  ])('reports %s', (_, file, text, message) => {
    const files = { [`server/src/${file}`]: text, 'server/src/call/c.ts': '', 'redact/src/r.ts': '' };
    expect(check(files).join('\n')).toContain(message);
  });

  it('reports cycles between files and between folders', () => {
    const files = {
      'server/src/util/a.ts': "import type { B } from './b.js';\n",
      'server/src/util/b.ts': "import type { A } from './a.js';\nimport '../core/c.js';\n",
      'server/src/core/c.ts': "export * from '../util/d.js';\n",
      'server/src/util/d.ts': '',
    };
    const problems = check(files).join('\n');
    expect(problems).toMatch(
      /cycle between files: packages\/server\/src\/util\/[ab]\.ts, packages\/server\/src\/util\/[ab]\.ts$/m,
    );
    expect(problems).toMatch(/cycle between folders of packages\/server\/src\/: (?:util, core|core, util)$/m);
  });

  it('reports a package without a list, and dependencies of packages that have none', () => {
    expect(check({ 'more/src/a.ts': '' })).toEqual([
      'packages/more has no list of folders in scripts/check-imports.mjs',
    ]);
    expect(check({ 'redact/src/a.ts': "import '@mortise/plugin';\n" })[0]).toContain(
      '@mortise/redact has no dependency',
    );
    expect(check({ 'plugin/src/a.ts': "import 'zod';\n" })[0]).toContain('the plugin API has no dependency');
  });
});
