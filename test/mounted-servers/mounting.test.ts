import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { shared } from '../support/clients.js';
import { codeOf, logOf, pluginsOf, progressOf, textOf } from '../support/observe.js';
import { CAN_SEE_PROCESSES, processesOf } from '../support/processes.js';
import { waitFor } from '../support/wait-for.js';
import { changeScripts, SCRIPTS } from './changed-scripts.js';
import { call, entry, mount, OFFICIAL, open, startServer } from './mounted.js';

describe('mounting', () => {
  it('starts nothing when the lists are remembered, until a tool is called', async () => {
    const workplace = mount({ m: OFFICIAL.modern });
    const first = await open(workplace);
    const { tools } = await first.listTools();
    await first.close();
    const client = await open(workplace);
    expect((await client.listTools()).tools).toEqual(tools);
    if (CAN_SEE_PROCESSES)
      expect(processesOf(workplace).filter(({ command }) => command.includes('official.mjs'))).toEqual([]);
    expect(textOf(await call(client, 'echo', { text: 'now' }))).toBe('now');
  });

  it('shows servers that cannot be started, and why', async () => {
    const servers = {
      missing: { command: 'no-such-program' },
      dies: { command: process.execPath, args: ['-e', 'console.error("no token given"); process.exit(3)'] },
      untried: { command: process.execPath, args: ['a\0b'] },
      away: { url: 'http://127.0.0.1:9/mcp' },
      'two words': entry('doubtful'),
      m: OFFICIAL.modern,
    };
    const client = await open(mount(servers));
    const plugins = await pluginsOf(client);
    const states = plugins.map(({ name, state, problems }) => [name, state, problems[0]?.code]);
    expect(states).toEqual([
      ['mcp.away', 'failed', 'SERVER_NOT_CONNECTED'],
      ['mcp.dies', 'failed', 'SERVER_NOT_CONNECTED'],
      ['mcp.m', 'loaded', undefined],
      ['mcp.missing', 'failed', 'SERVER_NOT_CONNECTED'],
      ['mcp.two_words', 'loaded', 'SERVER_NAME_INVALID'],
      ['mcp.untried', 'failed', 'SERVER_NOT_CONNECTED'],
    ]);
    expect(JSON.stringify(plugins)).toContain('no token given');
    const hello = await client.callTool({ name: 'mcp_two_words_bare', arguments: { text: 'hello' } });
    expect(textOf(hello)).toBe('{"text":"hello"}');
  });

  it('asks a server again whose script has changed', () => changeScripts({ second: SCRIPTS.second }));
});

describe('several servers', () => {
  const opened = shared(async (finished) => {
    const modern = { ...OFFICIAL.modern, env: { UPSTREAM_TOKEN: 'abcdefgh' } };
    const { url } = await startServer('http-status', [], finished);
    const workplace = mount({ m: modern, other: OFFICIAL.legacy, web: { url } }, {}, finished);
    Object.assign(workplace.env, { HIDDEN: 'of the server' });
    const options = { capabilities: { elicitation: { form: {} } } };
    const answer = (client: Client) =>
      client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
    return open(workplace, '2025-11-25', options, answer, finished);
  });

  it('have their calls, progress, questions, resources, prompts and completions passed on', async () => {
    const client = opened();
    expect(await call(client, 'add', { a: 2, b: 3 })).toMatchObject({ structuredContent: { sum: 5 } });
    expect(codeOf(await call(client, 'fail'))).toBe('TOOL_ERROR');
    const progress = progressOf(client);
    await call(client, 'steps', {}, { onprogress() {} });
    expect(progress).toHaveLength(3);
    expect(textOf(await call(client, 'ask'))).toBe('Hello Ada');
    const asked = await client.callTool({ name: 'mcp_other_ask_old', arguments: {} });
    expect(textOf(asked)).toBe('accept Ada, run 1');
    expect(await client.readResource({ uri: 'note://today' })).toMatchObject({
      contents: [{ text: 'rain, api_key=[REDACTED]' }],
    });
    const greet = { name: 'mcp.m.greet', arguments: { name: 'Ada' } };
    expect(await client.getPrompt(greet)).toMatchObject({ messages: [{ content: { text: 'Greet Ada' } }] });
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'mcp.m.greet' },
      argument: { name: 'name', value: 'A' },
    });
    expect(completion.values).toEqual(['Ada', 'Alan']);
  });

  it('hear of a call that is cancelled', async () => {
    const client = opened();
    const log = logOf(client);
    const cancel = new AbortController();
    const cancelled = call(client, 'wait', {}, { signal: cancel.signal });
    await waitFor(() => log().includes('waiting'));
    cancel.abort();
    await expect(cancelled).rejects.toThrow();
    await waitFor(() => log().includes('told of the cancel'));
  });

  it('may be reached by URL, where an error is one of the call alone', async () => {
    const callOf = (name: string) => opened().callTool({ name: `mcp_web_${name}`, arguments: {} });
    const failed = await callOf('s500');
    expect(codeOf(failed)).toBe('TOOL_ERROR');
    expect(textOf(failed)).toContain('The moon is full');
    expect(textOf(await callOf('works'))).toBe('done');
  });

  it('get the usual environment and what their entry names, whose secrets are not shown', async () => {
    expect(textOf(await call(opened(), 'token'))).toBe('it is [REDACTED], and HIDDEN is undefined');
  });

  it('have the first of two resources of one URI, and the other is shown', async () => {
    const { resources } = await opened().listResources();
    expect(resources.filter(({ uri }) => uri === 'note://today')).toHaveLength(1);
    const plugins = await pluginsOf(opened());
    expect(plugins.map(({ name, problems }) => [name, problems.map(({ code }) => code)])).toEqual([
      ['mcp.m', []],
      ['mcp.other', ['RESOURCE_DUPLICATE', 'RESOURCE_DUPLICATE']],
      ['mcp.web', []],
    ]);
  });
});
