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
});
