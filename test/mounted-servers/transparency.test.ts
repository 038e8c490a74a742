import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { shared, VERSIONS } from '../support/clients.js';
import { codeOf, resultsOf, textOf } from '../support/observe.js';
import { waitFor } from '../support/wait-for.js';
import { linkContract } from '../support/workplace.js';
import { entry, HEADERS, mount, open, startHttp } from './mounted.js';

/** The mounted servers, by the version that they speak. */
const SERVERS = { old: entry('transparent'), new: entry('transparent', '--modern') };
const NAMES = Object.keys(SERVERS) as (keyof typeof SERVERS)[];

const _meta = { 'com.example/origin': { by: 'the server', note: 'password=[REDACTED]' } };
const icons = [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' }];
const PLUGIN = `
import { definePlugin } from '@mortise/plugin';
export default definePlugin({
  instructions: ' Save a note before you search. password=hunter2secret ',
  register(api) {
    api.defineTool({ name: 'save_note', description: 'Saves a note', run: () => 'ok' });
  },
});`;
const annotations = { audience: ['user'], priority: 0.5, lastModified: '2026-01-02T03:04:05Z' };

describe.each(VERSIONS)('a mounted server, for a client of %s,', (version) => {
  const opened = shared(async (finished) => {
    const asked: unknown[] = [];
    const completed: unknown[] = [];
    const prepare = (client: Client) => {
      client.setRequestHandler('elicitation/create', ({ params }) => {
        asked.push(params);
        return { action: asked.length > 1 ? 'decline' : 'accept' };
      });
      client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => void completed.push(params));
    };
    const options = { capabilities: { elicitation: { url: {}, form: {} } } };
    const { url } = await startHttp([], 0, finished);
    const workplace = mount({ ...SERVERS, sdk: { url, headers: HEADERS } }, {}, finished);
    workplace.write('plugins/notes.mjs', PLUGIN);
    linkContract(workplace);
    const client = await open(workplace, version, options, prepare, finished);
    return { client, workplace, asked, completed };
  });
  const call = (name: string, more = {}) => opened().client.callTool({ name, arguments: {}, ...more });

  it('has its instructions joined into those of Mortise, as a plugin has, by name, once they are remembered', async () => {
    const { client, workplace } = opened();
    expect(client.getInstructions()).not.toContain('Instructions of');
    await client.listTools();
    const again = async () => (await open(workplace, version)).getInstructions();
    await expect.poll(again, { timeout: 20_000 }).toContain('Instructions of');
    const instructions = await again();
    expect(instructions).toContain(
      "Instructions of the server 'mcp.old', whose tools have the prefix mcp_old_:\nUse meta of old first. password=[REDACTED]",
    );
    expect(instructions).toContain("Instructions of the server 'mcp.new'");
    expect(instructions).toContain(
      "Instructions of the plugin 'notes':\nSave a note before you search. password=[REDACTED]",
    );
  });

  it.each(NAMES)('of the %s version has its definitions shown with all their members', async (server) => {
    const { client } = opened();
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => name === `mcp_${server}_meta`);
    expect(tool).toMatchObject({ title: 'The meta', icons, _meta });
    const { resources } = await client.listResources();
    const [a, bad] = resources.filter(({ uri }) => uri.startsWith(server));
    expect(a).toMatchObject({ title: 'A', mimeType: 'text/plain', size: 1234, annotations, icons, _meta });
    expect(bad).toEqual({ uri: `${server}://bad`, name: 'bad' });
    const { resourceTemplates } = await client.listResourceTemplates();
    const template = resourceTemplates.find(({ uriTemplate }) => uriTemplate.startsWith(server));
    expect(template).toMatchObject({ title: 'T', annotations, icons, _meta });
    const results = resultsOf(client);
    await client.listPrompts(undefined, { cacheMode: 'refresh' });
    const { prompts } = results.at(-1) as { prompts: { name: string }[] };
    const prompt = prompts.find(({ name }) => name === `mcp.${server}.p`);
    expect(prompt).toMatchObject({ title: 'P', icons, _meta, arguments: [{ name: 'x', title: 'The x' }] });
  });

  it.each(NAMES)('of the %s version has _meta of results passed on, and gets that of requests', async (server) => {
    const { client } = opened();
    const sent = { 'com.example/asked-by': 'the client' };
    const result = await call(`mcp_${server}_meta`, { _meta: sent });
    expect(result._meta).toMatchObject(_meta);
    const received = JSON.parse(textOf(result));
    expect(received).toMatchObject(sent);
    if (server === 'new') expect(received['io.modelcontextprotocol/clientInfo']).toMatchObject({ name: 'mortise' });
    expect(await call(`mcp_${server}_fails`)).toMatchObject({ isError: true, _meta });
    const read = await client.readResource({ uri: `${server}://a` });
    expect(read).toMatchObject({ contents: [{ text: 'words', _meta }], _meta });
    expect(await client.getPrompt({ name: `mcp.${server}.p` })).toMatchObject({ description: 'A prompt', _meta });
  });

  it('may give data of any type, which a client of 2025-11-25 gets as the member of an object', async () => {
    const { client } = opened();
    const { tools } = await client.listTools();
    const schemaOf = (name: string) => tools.find((tool) => tool.name === name)?.outputSchema;
    const isWrapped = version === '2025-11-25';
    const wrapped = (value: unknown) => ({ structuredContent: isWrapped ? { result: value } : value });
    expect(schemaOf('mcp_new_numbers')?.type).toBe(isWrapped ? 'object' : undefined);
    expect(await call('mcp_new_numbers')).toMatchObject(wrapped([1, 2]));
    expect(codeOf(await call('mcp_new_wrong_numbers'))).toBe('TOOL_INVALID_RESULT');
    expect(await call('mcp_new_value')).toMatchObject(wrapped(0));
    expect(schemaOf('mcp_sdk_lines')?.type).toBe(isWrapped ? 'object' : undefined);
    expect(await call('mcp_sdk_lines')).toMatchObject(wrapped(['a', 'b']));
  });

  it.each(NAMES)('of the %s version may write base64 as official clients accept it', async (server) => {
    expect(await call(`mcp_${server}_picture`)).toMatchObject({ content: [{ data: 'iVBORw0=' }] });
  });

  it('has a tool that it runs only as a task called as one', async () => {
    const { tools } = await opened().client.listTools();
    expect(tools.find(({ name }) => name === 'mcp_old_research')).not.toHaveProperty('execution');
    expect(textOf(await call('mcp_old_research'))).toBe('The result of t1');
  });

  it.each(NAMES)('of the %s version may write null where a member is missing', async (server) => {
    const result = await call(`mcp_${server}_nulls`);
    expect(result.isError).toBeFalsy();
    expect(result.content).toEqual([
      { type: 'text', text: 'a', annotations: { priority: 1 } },
      { type: 'resource', resource: { uri: 'a://b', text: 'b' } },
    ]);
  });

  it.each(NAMES)('of the %s version has the data of its errors shown, redacted', async (server) => {
    const failed = await call(`mcp_${server}_broken`);
    expect(codeOf(failed)).toBe('TOOL_ERROR');
    expect(textOf(failed)).toContain('{"reason":"rust","auth":"password=[REDACTED]"}');
    const gone = opened().client.readResource({ uri: `${server}://gone` });
    await expect(gone).rejects.toMatchObject({ data: { since: 'monday' } });
  });

  it('gets its log lines in the levels that it gave them', async () => {
    const { client } = opened();
    const lines: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => void lines.push(params));
    const levels = async (level: 'notice' | 'emergency') => {
      lines.length = 0;
      if (version === '2025-11-25') await client.setLoggingLevel(level);
      const inRequest = version === '2026-07-28' && { _meta: { 'io.modelcontextprotocol/logLevel': level } };
      await call('mcp_old_levels', inRequest || {});
      return lines;
    };
    const logger = 'mcp.old/db';
    const from = ['notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
    const rows = { level: 'emergency', logger: 'mcp.old', data: { rows: 1 } };
    await levels('notice');
    await waitFor(() => lines.length === 7);
    expect(lines).toEqual(expect.arrayContaining([...from.map((level) => ({ level, logger, data: level })), rows]));
    await levels('emergency');
    await waitFor(() => lines.length === 2);
    expect(lines).toEqual(expect.arrayContaining([{ level: 'emergency', logger, data: 'emergency' }, rows]));
  });

  it('has the user open a page before a call continues', async () => {
    const { asked, completed } = opened();
    const page = { mode: 'url', url: 'https://auth.example/x', message: 'Log in' };
    if (version === '2025-11-25') {
      const refused = call('mcp_old_needs_login');
      await expect(refused).rejects.toMatchObject({ code: -32042, data: { elicitations: [page] } });
      await call('mcp_old_log_in');
      await waitFor(() => completed.length > 0);
      expect(completed).toEqual([{ elicitationId: 'e1' }]);
      expect(textOf(await call('mcp_old_needs_login'))).toBe('in');
    } else {
      const refused = await call('mcp_old_needs_login');
      expect(asked).toMatchObject([page, page]);
      expect(codeOf(refused)).toBe('TOOL_ERROR');
      expect(textOf(refused)).toContain('https://auth.example/x');
    }
  });
});
