import type { PluginDefinition } from '@mortise/plugin/runtime';
import { describe, expect, it } from 'vitest';
import { parseFromWorker, parseLoaded, parseResult } from '../../../src/run/worker/parse-message.js';
import { DEFAULT_LIMITS } from '../../../src/settings/plugin-limits.js';

const tool = { name: 't', inputSchema: {}, origin: 'registerTool' };
const empty = { tools: [], resources: [], prompts: [], problems: [] };
const problem = { severity: 'error', code: 'PLUGIN_THREW', message: 'm', hint: 'h', location: { file: 'f' } };

describe('a message of a plugin process', () => {
  it.each([
    { done: 1, value: undefined },
    { progress: 1, report: { done: 2 } },
    { progress: 1, report: { done: 2, total: 3, message: 'm' } },
    { log: { level: 'info', message: 'm' } },
    { id: 3, log: { level: 'error', message: 'm', fields: { a: [1] }, scope: 's' } },
    { ask: 1, id: 2, requests: { who: { method: 'elicitation/create', params: {} } } },
    { definition: { ...empty, tools: [tool], problems: [problem] } },
    { resourceUpdated: 'x://y' },
    { resourceListChanged: true },
    { reload: true },
  ])('is read: %j', (message) => {
    expect(parseFromWorker(message)).toBe(message);
  });

  it.each([
    null,
    7,
    'text',
    [],
    {},
    { done: '1' },
    { progress: 1, report: { done: null } },
    { progress: 1, report: { done: Number.POSITIVE_INFINITY } },
    { progress: 1, report: { done: 2, total: 0 } },
    { progress: 1, report: { done: 2, message: 3 } },
    { log: null },
    { log: { level: 'constructor', message: 'm' } },
    { log: { level: 'info' } },
    { log: { level: 'info', message: 'm', fields: [] } },
    { ask: 1, id: 2, requests: null },
    { ask: 1, id: 2, requests: { who: {} } },
    { definition: null },
    { definition: { ...empty, tools: {} } },
    { definition: { ...empty, problems: 'none' } },
    { resourceUpdated: 1 },
    { resourceListChanged: 1 },
    { reload: 'yes' },
  ])('is none: %j', (message) => {
    expect(parseFromWorker(message)).toBeUndefined();
  });

  const source = { file: '/p.mjs', prefix: '', limits: DEFAULT_LIMITS };
  const meta = { inputMode: 'ask' } as const;
  const WORK = {
    call: { do: 'run', work: { do: 'call', name: 't', args: {} }, meta },
    read: { do: 'run', work: { do: 'read', key: 'x://y', uri: 'x://y', variables: {} }, meta },
    prompt: { do: 'run', work: { do: 'prompt', name: 'p', args: {} }, meta },
  } as const;
  const complete = {
    do: 'run',
    work: { do: 'complete', ref: { type: 'prompt', name: 'p' }, argument: 'a', value: '', knownArguments: {} },
    meta,
  } as const;

  it('comes to a result of its work', () => {
    const error = { kind: 'error', errors: [{ code: 'TOOL_ERROR', message: 'm' }], exitCode: -1 };
    const asking = { kind: 'input_required', requests: { who: { method: 'roots/list', params: {} } } };
    const done = { kind: 'success', content: [{ type: 'text', text: 't' }], contentIsText: true };
    expect(parseResult(WORK.call, done)).toBe(done);
    for (const outcome of [error, asking]) {
      for (const work of [WORK.call, WORK.read, WORK.prompt]) expect(parseResult(work, outcome)).toBe(outcome);
    }
    expect(parseResult(complete, { values: ['a'] })).toEqual({ values: ['a'] });
  });

  it('comes to a definition or a problem where a plugin was loaded', async () => {
    expect(await parseLoaded({ definition: empty }, undefined, source)).toEqual({ definition: empty });
    expect(await parseLoaded({ problem }, undefined, source)).toEqual({ problem });
    expect(await parseLoaded({ definition: { ...empty, tools: undefined } }, undefined, source)).toBeUndefined();
  });

  it('is the known definition where the plugin offers the same again, and is checked where it does not', async () => {
    const tool = (type: string) => ({ name: 't', inputSchema: { type: 'object', properties: { a: { type } } } });
    const known = { ...empty, tools: [{ ...tool('string'), origin: 'registerTool' }] } as PluginDefinition;
    const same = (await parseLoaded({ definition: structuredClone(known) }, known, source)) as { definition: unknown };
    expect(same.definition).toBe(known);
    const definition = { ...empty, tools: [tool('number'), tool('no type')] };
    expect(await parseLoaded({ definition }, known, source)).toMatchObject({
      definition: {
        tools: [{ name: 't', inputSchema: tool('number').inputSchema }],
        problems: expect.arrayContaining([expect.objectContaining({ code: 'TOOL_SCHEMA_INVALID' })]),
      },
    });
  });

  const wrong = [null, 'x', [], {}, { kind: 'toString' }, { kind: 'success' }, { kind: 'error', errors: [] }, [1]];
  it.each(wrong)('%j is an invalid result of a call, and nothing that loading or a ping can come to', async (value) => {
    for (const work of [WORK.call, WORK.read, WORK.prompt]) {
      expect(parseResult(work, value)).toMatchObject({ kind: 'error', errors: [{ code: 'TOOL_INVALID_RESULT' }] });
    }
    expect(await parseLoaded(value, undefined, source)).toBeUndefined();
    expect(parseResult(complete, value)).toBeUndefined();
    if (value !== null) expect(parseResult({ do: 'ping' }, value)).toBeUndefined();
  });
});
