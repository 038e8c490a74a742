import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** What the compiler says about a module in an empty project. */
function errorsOf(source: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'mortise-types-'));
  try {
    const paths = { '@mortise/plugin': [join(root, 'packages/plugin/src/index.ts')] };
    const types = join(root, 'node_modules/@types');
    const compilerOptions = {
      ...{ noEmit: true, strict: true, skipLibCheck: true, target: 'es2023', module: 'nodenext' },
      ...{ types: ['node'], typeRoots: [types], paths },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    writeFileSync(join(folder, 'plugin.ts'), source);
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { cwd: folder });
    return [];
  } catch (error) {
    const { stdout } = error as { stdout?: Buffer };
    if (stdout === undefined) throw error;
    return String(stdout)
      .split('\n')
      .filter((line) => line.includes('error TS'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const withOutput = (run: string) => `import { defineTool, ok } from '@mortise/plugin';
const outputSchema = { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] } as const;
export const base = { name: 'a', title: 'A', description: 'd', inputSchema: { type: 'object' }, outputSchema } as const;
defineTool({
  ...base,
  run: ${run},
});
`;

it('names the wrong member of a result at the place of the result, and what is expected', { timeout: 60_000 }, () => {
  const results = [
    '() => ({ degres: 1 })',
    "() => ({ degrees: 'warm' })",
    'async () => ({ degres: 1 })',
    "() => ok('text')",
  ];
  const [misspelt, wrongType, later, textAlone] = results.map((run) => errorsOf(withOutput(run)));
  expect(misspelt).toEqual([expect.stringMatching(/^plugin\.ts\(6,14\): .*degres: number.*degrees: number/)]);
  expect(wrongType).toEqual([
    expect.stringMatching(/^plugin\.ts\(6,17\): .*'string' is not assignable to type 'number'/),
  ]);
  expect(later).toEqual([expect.stringMatching(/^plugin\.ts\(6,20\): .*degres: number.*degrees: number/)]);
  expect(textAlone).toEqual([expect.stringMatching(/^plugin\.ts\(6,14\): .*ToolSuccess<undefined>.*degrees: number/)]);
});

it('names a misspelt member of the tool, with the one that was meant', { timeout: 60_000 }, () => {
  const source = `import { defineTool } from '@mortise/plugin';
defineTool({ name: 'a', descripton: 'd', run: () => 'x' });
`;
  expect(errorsOf(source)).toEqual([
    expect.stringMatching(/^plugin\.ts\(2,25\): .*Did you mean to write 'description'/),
  ]);
});
