import { ERROR_CODES, type ErrorCode, fail } from '@mortise/plugin';
import { openPlugin, type RunResult } from '@mortise/plugin/testing';
import { describe, expect, it } from 'vitest';

const tool = (name: string, run: (args: Record<string, unknown>) => unknown) => ({
  name,
  description: 'd',
  inputSchema: { type: 'object' },
  run,
});
const opened = (...tools: object[]) =>
  openPlugin({
    register(api: { registerTool(tool: object): void }) {
      for (const one of tools) api.registerTool(one);
    },
  });
const warnings = ({ logs }: RunResult) => logs.filter(({ level }) => level === 'warn').map(({ message }) => message);

describe('the hint of fail()', () => {
  it('is that of its code, and not one that only the server can give', () => {
    const hintOf = (code: ErrorCode, hint?: string) => {
      const { content } = fail('no', { code, ...(hint && { hint }) });
      const [block] = content;
      return block?.type === 'text' ? block.text : '';
    };
    expect(hintOf('INVALID_PARAMS')).toBe(`no\nHint: ${ERROR_CODES.INVALID_PARAMS.hint}`);
    for (const code of ['RATE_LIMITED', 'PLUGIN_CRASHED', 'TOOL_BUSY', 'INTERNAL_ERROR'] as const)
      expect(hintOf(code)).toBe('no');
    expect(hintOf('RATE_LIMITED', 'Wait a minute.')).toBe('no\nHint: Wait a minute.');
  });
});

describe('fail() that is neither returned nor thrown', () => {
  it('is one warning with its file and line, and the call continues', async () => {
    const forgetful = tool('forgetful', ({ n }) => {
      if (n === undefined) fail('n is missing');
      return 'continued';
    });
    const plugin = await opened(forgetful);
    const result = await plugin.callTool('forgetful');
    expect(result.text).toBe('continued');
    expect(warnings(result)).toEqual([
      expect.stringMatching(
        /^Tool 'forgetful': fail\(\) at .*fail\.test\.ts:\d+ was neither returned nor thrown.* Write return fail\(…\)/,
      ),
    ]);
    expect(warnings(await plugin.callTool('forgetful'))).toEqual([]);
    expect(warnings(await plugin.callTool('forgetful', { n: 1 }))).toEqual([]);
  });

  it.each<[string, (args: Record<string, unknown>) => unknown]>([
    ['returned', () => fail('no')],
    ['returned later', async () => fail('no')],
    [
      'thrown',
      () => {
        throw fail('no');
      },
    ],
    ['spread', () => ({ ...fail('no'), extra: 1 })],
    [
      'thrown as an error',
      () => {
        throw Object.assign(new Error('no'), fail('no'));
      },
    ],
  ])('is not one that is %s', async (_, run) => {
    const result = await (await opened(tool('t', run))).callTool('t');
    expect(result.isError).toBe(true);
    expect(warnings(result)).toEqual([]);
  });

  it('is not a constant of the module', async () => {
    const constant = fail('never mind');
    const result = await (await opened(tool('t', () => (constant === undefined ? constant : 'x')))).callTool('t');
    expect(warnings(result)).toEqual([]);
  });
});
