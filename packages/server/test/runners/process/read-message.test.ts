import { describe, expect, it } from 'vitest';
import { isPluginDefinition, isResultOf, readFromProcess } from '../../../src/runners/process/read-message.js';

const tool = { name: 't', inputSchema: {}, origin: 'registerTool' };
const empty = { tools: [], resources: [], prompts: [], problems: [] };
const problem = { severity: 'error', code: 'PLUGIN_THREW', message: 'm', hint: 'h', place: { file: 'f' } };

describe('a message of a plugin process', () => {
  it.each([
    { done: 1, value: undefined },
    { progress: 1, percent: 2 },
    { progress: 1, percent: 2, message: 'm' },
    { log: { level: 'info', message: 'm' } },
    { id: 3, log: { level: 'error', message: 'm', fields: { a: [1] }, scope: 's' } },
    { ask: 1, id: 2, requests: { who: { method: 'elicitation/create', params: {} } } },
    { definition: { ...empty, tools: [tool], problems: [problem] } },
    { resourceUpdated: 'x://y' },
    { reload: true },
  ])('is read: %j', (message) => {
    expect(readFromProcess(message)).toBe(message);
  });

  it.each([
    null,
    7,
    'text',
    [],
    {},
    { done: '1' },
    { progress: 1, percent: null },
    { progress: 1, percent: 2, message: 3 },
    { log: null },
    { log: { level: 'constructor', message: 'm' } },
    { log: { level: 'info' } },
    { log: { level: 'info', message: 'm', fields: [] } },
    { ask: 1, id: 2, requests: null },
    { ask: 1, id: 2, requests: { who: {} } },
    { definition: null },
    { definition: { ...empty, tools: [{ ...tool, name: 1 }] } },
    { definition: { ...empty, tools: [{ ...tool, inputSchema: [] }] } },
    { definition: { ...empty, resources: [{ name: 'r', completes: [] }] } },
    { definition: { ...empty, prompts: [{ name: 'p', completes: [], arguments: [null] }] } },
    { definition: { ...empty, problems: [{ ...problem, place: {} }] } },
    { resourceUpdated: 1 },
    { reload: 'yes' },
  ])('is none: %j', (message) => {
    expect(readFromProcess(message)).toBeUndefined();
  });

  it('comes to a result of its work, or to none', () => {
    const error = { kind: 'error', errors: [{ code: 'TOOL_ERROR', message: 'm' }], exitCode: -1 };
    const asking = { kind: 'input_required', requests: { who: { method: 'roots/list', params: {} } } };
    expect(isResultOf('call', { kind: 'success', content: [{ type: 'text' }] })).toBe(true);
    for (const outcome of [error, asking]) {
      for (const work of ['call', 'read', 'prompt'] as const) expect(isResultOf(work, outcome)).toBe(true);
    }
    expect(isResultOf('load', { definition: empty })).toBe(true);
    expect(isResultOf('describe', { problem })).toBe(true);
    expect(isResultOf('complete', { values: ['a'] })).toBe(true);
    const wrong = [null, 'x', [], {}, { kind: 'toString' }, { kind: 'success' }, { kind: 'error', errors: [] }, [1]];
    for (const value of wrong) {
      for (const work of ['load', 'describe', 'call', 'read', 'prompt'] as const)
        expect(isResultOf(work, value), `${work} ${JSON.stringify(value)}`).toBe(false);
    }
    expect(isResultOf('complete', { values: [1] })).toBe(false);
    expect(isResultOf('ping', {})).toBe(false);
  });

  it('holds a definition as it is remembered', () => {
    expect(isPluginDefinition({ ...empty, tools: [tool] })).toBe(true);
    expect(isPluginDefinition({ ...empty, tools: undefined })).toBe(false);
  });
});
