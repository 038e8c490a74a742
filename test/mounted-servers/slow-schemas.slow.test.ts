import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { codeOf, pluginsOf, textOf } from '../support/observe.js';
import { BIN } from '../support/workplace.js';
import { call, entry, OFFICIAL, sharedClient } from './mounted.js';

describe('a mounted server whose schemas take forever to check', () => {
  const opened = sharedClient({ m: entry('slow-schemas'), n: OFFICIAL.modern });
  const deep = (levels: number): object => (levels === 0 ? { x: 1 } : { x: deep(levels - 1) });

  it.each<[string, string, Record<string, unknown>]>([
    ['a pattern', 'pattern', { text: `${'a'.repeat(40)}!` }],
    ['a pattern for names', 'names', { [`${'a'.repeat(40)}!`]: 1 }],
    ['branches of itself', 'branches', { ...deep(50) }],
  ])('costs only its own calls: %s', async (_, tool, args) => {
    const { client } = opened();
    let isOver = false;
    const slow = call(client, tool, args).finally(() => {
      isOver = true;
    });
    for (let i = 0; i < 20; i++) {
      expect(textOf(await client.callTool({ name: 'mcp_n_echo', arguments: { text: 'here' } }))).toBe('here');
    }
    expect(isOver).toBe(false);
    const result = await slow;
    expect(codeOf(result)).toBe('TOOL_INVALID_RESULT');
    expect(textOf(result)).toContain('it took more than 1 s');
    expect(textOf(await call(client, 'tree', { name: 'a', parts: [{ name: 'b' }] }))).toBe('done');
    expect(codeOf(await call(client, 'tree', { parts: [{ name: 5 }] }))).toBe('TOOL_INVALID_RESULT');
  });

  it('checks nothing that no one waits for any more', async () => {
    const { client } = opened();
    await call(client, 'tree', {});
    const slow = { text: `${'a'.repeat(40)}!` };
    const input = Array.from({ length: 10 }, () => {
      const cancel = new AbortController();
      const cancelled = call(client, 'pattern', slow, { signal: cancel.signal }).catch(() => 'gone');
      // By then the first is being checked, and the others wait.
      setTimeout(() => cancel.abort(), 100);
      return cancelled;
    });
    expect(new Set(await Promise.all(input))).toEqual(new Set(['gone']));
    const startedAt = performance.now();
    expect(textOf(await call(client, 'tree', { name: 'a' }))).toBe('done');
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });

  it('refuses arguments that are nested too deep, however deep', () => {
    const { config, env, folder } = opened().workplace;
    const json = `${'{"parts":['.repeat(5000)}${']}'.repeat(5000)}`;
    const args = [BIN, 'call', 'mcp.m.tree', '--json', json, '--config', config];
    const { stdout, status } = spawnSync(process.execPath, args, { env, cwd: folder, encoding: 'utf8' });
    expect(stdout).toContain('INVALID_PARAMS');
    expect(status).toBe(1);
  });

  it('judges the arguments for a schema that has no end', async () => {
    const { client } = opened();
    expect(textOf(await call(client, 'endless', { x: 1 }))).toBe('done');
    const plugin = (await pluginsOf(client)).find(({ name }) => name === 'mcp.m');
    expect(plugin!.problems).toMatchObject([{ code: 'SCHEMA_UNCHECKED' }]);
  });
});
