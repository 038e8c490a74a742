import { describe, expect, it } from 'vitest';
import { checkRepository } from './support/check-repository.js';

const check = (files: Record<string, string>) =>
  checkRepository('check-file-names.mjs', { 'packages/a/src/plugins/list.ts': 'export {};\n', ...files });

describe('check-file-names', () => {
  it('accepts names of files of the same package, and with their folder those of others', () => {
    const files = {
      'packages/a/src/b.ts': '/** As in list.ts. */\nexport const a = 1; // see `plugins/list.ts`\n',
      'packages/c/src/d.ts': '// As in plugins/list.ts and packages/a/src/plugins/list.ts.\n',
      'ARCHITECTURE.md': 'Open `list.ts`, or `*-handlers.ts`.\n',
    };
    expect(check(files)).toEqual([]);
  });

  it('reads comments, not code', () => {
    expect(check({ 'packages/a/src/b.ts': "export const name = 'missing.ts';\n" })).toEqual([]);
  });

  it('refuses the name of a file that does not exist, or is in another package', () => {
    const files = {
      'packages/a/src/b.ts': '/**\n * As in lists.ts.\n */\n',
      'packages/c/src/d.ts': 'const a = 1; // list.ts\n',
      'ARCHITECTURE.md': 'Open `plugins/lists.ts`.\n',
    };
    expect(check(files)).toEqual([
      'ARCHITECTURE.md:1: there is no file plugins/lists.ts',
      'packages/a/src/b.ts:2: there is no file lists.ts in packages/a/',
      'packages/c/src/d.ts:1: there is no file list.ts in packages/c/',
    ]);
  });

  it('wants complete paths in the table of changes', () => {
    const row = (...paths: string[]) => `| a change | ${paths.map((path) => `\`${path}\``).join(', ')} | |\n`;
    const files = {
      'packages/server/src/mcp/cursor.ts': '',
      'README.md': '',
      'ARCHITECTURE.md': [
        '## To change X, open Y\n',
        row(
          'packages/a/src/plugins/list.ts',
          'packages/a/src/',
          'mcp/cursor.ts',
          'mcp/',
          'README.md',
          'Plugins.Limits',
        ),
        row('list.ts', 'plugins/', 'docs/missing.md#part'),
        '## Words\n',
        row('list.ts'),
      ].join(''),
    };
    expect(check(files)).toEqual(
      ['list.ts', 'plugins/', 'docs/missing.md'].map(
        (path) => `ARCHITECTURE.md:3: there is no ${path} at the root or in packages/server/src/`,
      ),
    );
  });

  it('wants the words that the table of changes says are in a file', () => {
    const files = {
      'packages/server/src/mcp/cursor.ts': 'export const LIMIT = 1;\nexport const SIZE = 2;\n',
      'ARCHITECTURE.md':
        '## To change X, open Y\n| `LIMIT` in `mcp/cursor.ts` | `mcp/cursor.ts` (`LIMIT`, `SIZE`) | |\n| `WIDTH` in `mcp/cursor.ts` | `mcp/cursor.ts` (`SIZE`, `HEIGHT`) |\n',
    };
    expect(check(files)).toEqual(
      ['WIDTH', 'HEIGHT'].map((word) => `ARCHITECTURE.md:3: there is no ${word} in mcp/cursor.ts`),
    );
  });
});
