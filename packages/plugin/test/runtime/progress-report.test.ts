import { runTool } from '@mortise/plugin/testing';
import { expect, it } from 'vitest';

it('takes the words of MCP: progress is done', async () => {
  const { progress } = await runTool({
    name: 't',
    description: 'd',
    inputSchema: { type: 'object' },
    run(_, { progress }) {
      progress.report({ progress: 3, total: 7, message: 'c.txt' });
      progress.report({ done: 4, total: 7 });
      progress.report({ progress: Number.NaN });
      progress.report({ other: 5 } as never);
      return 'x';
    },
  });
  expect(progress).toMatchObject([
    { done: 3, total: 7, message: 'c.txt' },
    { done: 4, total: 7 },
  ]);
  expect(progress).toHaveLength(2);
});
