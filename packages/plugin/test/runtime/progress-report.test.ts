import type { IProgressReporter } from '@mortise/plugin';
import { runTool } from '@mortise/plugin/testing';
import { expect, it } from 'vitest';

const reporting = async (run: (progress: IProgressReporter) => void) => {
  const tool = { name: 't', description: 'd', inputSchema: { type: 'object' } };
  const { logs } = await runTool({
    ...tool,
    run: (_: unknown, { progress }: { progress: IProgressReporter }) => run(progress),
  } as never);
  return logs.filter(({ level }) => level === 'warn').map(({ message }) => message);
};

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

const reports =
  (...percents: number[]) =>
  (progress: IProgressReporter) => {
    for (const percent of percents) progress.report(percent);
  };

it.each<[string, (progress: IProgressReporter) => void, RegExp[]]>([
  [
    'a share of 1',
    reports(0, 0.25, 0.5, 1),
    [
      /^Tool 't': progress\.report\(0\.25\) at .*progress-report\.test\.ts:\d+ is less than one percent.* report\(\{ done, total: 1 \}\)/,
    ],
  ],
  [
    'what is not a report',
    (progress) => progress.report({ doen: 5 } as never),
    [/progress\.report\(.*\) at .*:\d+ was ignored\. Pass a percentage, or \{ done, total \}\./],
  ],
  ['small percents before larger ones', reports(0.5, 1, 50), []],
  ['an amount of less than 1', (progress) => progress.report({ done: 0.5, total: 1 }), []],
])('tells the author of %s, once', async (_, run, expected) => {
  expect(await reporting(run)).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
});
