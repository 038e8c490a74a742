import { ok, type RegisterApi } from '@mortise/plugin';
import { openPlugin, runTool } from '@mortise/plugin/testing';
import { describe, expect, it } from 'vitest';
import { checkOutcome } from '../../src/runtime/index.js';
import { channel, load } from './host.js';

const _meta = { 'acme/ui': { resourceUri: 'ui://clock' } };

describe('_meta, annotations and size', () => {
  it('are in the definitions of tools, resources and prompts', async () => {
    const annotations = { audience: ['user' as const], priority: 1 };
    const register = (api: RegisterApi) => {
      api.defineTool({ name: 't', title: 'T', description: 'd', _meta, run: () => 'x' });
      api.registerResource({ uri: 'a://b', name: 'b', size: 5, annotations, _meta, read: () => 'x' });
      api.registerPrompt({ name: 'p', _meta, arguments: [{ name: 'x', title: 'X' }], get: () => 'x' });
    };
    const { definition, problems } = await openPlugin({ register });
    expect(problems).toEqual([]);
    expect(definition.tools).toMatchObject([{ _meta }]);
    expect(definition.resources).toMatchObject([{ size: 5, annotations, _meta }]);
    expect(definition.prompts).toMatchObject([{ _meta, arguments: [{ name: 'x', title: 'X' }] }]);
  });

  it('of a result is its own, in every style of tool, also of an error', async () => {
    const base = { name: 't', description: 'd', inputSchema: { type: 'object' } } as const;
    const byOk = await runTool({ ...base, run: () => ok('x', { a: 1 }, { _meta }) });
    expect(byOk).toMatchObject({ structured: { a: 1 }, _meta });
    const byHand = { content: [{ type: 'text', text: 'x' }], _meta };
    expect(await runTool({ ...base, executeAsync: async () => byHand as never })).toMatchObject({ _meta });
    const plugin = await load({
      register: (api: RegisterApi) => api.registerTool({ ...base, run: () => ({ ...byHand, isError: true }) }),
    });
    const outcome = await plugin.run({ do: 'call', name: 't', args: {} }, channel());
    expect(outcome).toMatchObject({ kind: 'error', meta: _meta });
    expect(checkOutcome(outcome)).toBe(outcome);
  });
});
