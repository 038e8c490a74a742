import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, it } from 'vitest';
import { connect, shared, VERSIONS } from '../support/clients.js';
import { codeOf, pluginsOf, textOf } from '../support/observe.js';
import { waitFor } from '../support/wait-for.js';
import { createWorkplace, type Finished, type Workplace } from '../support/workplace.js';
import { FORGERIES, type Forgery } from './forged-definitions.js';
import { FORGED_OUTCOMES, FORGED_RESULTS } from './forged-outcomes.js';

const fixture = (name: string) => new URL(`fixtures/${name}`, import.meta.url);
const FORGER = readFileSync(fixture('forger.cjs'), 'utf8');
const HONEST = `exports.register = (api) => api.registerTool({
  name: 'honest', description: 'Is honest.', inputSchema: { type: 'object' }, run: () => 'honest' });`;

/** How many forged messages were sent, and how many of them changed nothing for anyone else. */
const count = { tried: 0, passed: 0 };
afterAll(() => console.log(`forged messages: ${count.tried} tried, ${count.passed} held`));

async function attempt(check: () => Promise<void>, messages = 1): Promise<void> {
  count.tried += messages;
  await check();
  count.passed += messages;
}

const GOOD = {
  name: 'good',
  description: 'Is good.',
  inputSchema: { type: 'object', properties: { a: true } },
  origin: 'x',
};

/** A definition of these entries, and a good one. */
function definitionOf(forgeries: readonly Forgery[]) {
  const entries = (list: Forgery['list']) =>
    forgeries.filter((forgery) => forgery.list === list).map(({ entry }) => entry);
  return {
    tools: [...entries('tools'), GOOD],
    resources: entries('resources'),
    prompts: entries('prompts'),
    problems: [],
  };
}

const FILES = { 'plugins/forger.cjs': FORGER, 'plugins/honest.cjs': HONEST };

/** The server that names are kept for need not offer anything. */
const NOTHING = { tools: [], resources: [], templates: [], prompts: [] };

function makeForgedWorkplace(forged: object = {}, mounted: object = NOTHING, finished?: Finished): Workplace {
  const workplace = createWorkplace(FILES, {}, finished);
  workplace.write('lists.json', JSON.stringify(mounted));
  const bank = {
    command: process.execPath,
    args: [fixture('forging-server.mjs').pathname, join(workplace.folder, 'lists.json')],
  };
  const settings = {
    Plugins: {
      Config: forged,
      McpServers: { bank },
      LoadTimeoutMs: 60_000,
    },
    Dotnet: { Enabled: false },
  };
  writeFileSync(workplace.config, JSON.stringify(settings));
  return workplace;
}

/** Both official clients, each with a server of its own. */
const both = (workplace: Workplace, finished?: Finished) =>
  Promise.all(
    VERSIONS.map((version) => connect(workplace, { transport: 'stdio', version }, undefined, undefined, [], finished)),
  );

/** Every list as an official client reads it; what the server writes is checked against MCP's schema besides. */
async function listsOf(client: Client) {
  const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
  const { resources } = await client.listResources(undefined, { cacheMode: 'refresh' });
  const { resourceTemplates } = await client.listResourceTemplates();
  const { prompts } = await client.listPrompts();
  return {
    tools: tools.map(({ name }) => name).filter((name) => name !== 'builtin_plugins'),
    others: [
      ...resources.map(({ uri }) => uri),
      ...resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ...prompts.map(({ name }) => name),
    ].filter((name) => !/^mortise:\/\/(?:plugins$|contract(?:\/schema)?$|outputs\/\{id\}\{\?offset\}$)/.test(name)),
  };
}

const problemsOf = async (client: Client, plugin: string) =>
  (await pluginsOf(client)).find(({ name }) => name === plugin)!.problems.map(({ code }) => code);

const codes = (forgeries: readonly Forgery[]) => [...new Set(forgeries.map(({ code }) => code))];

it('a definition that is forged while a plugin runs is dropped entry by entry, and the rest stays', async () => {
  const clients = await both(makeForgedWorkplace());
  for (const [at, forgery] of FORGERIES.entries()) {
    await attempt(async () => {
      for (const client of clients) {
        const definition = definitionOf([forgery]);
        // Shows that it is this definition which is listed.
        const json = JSON.stringify({ ...definition, tools: [...definition.tools, { ...GOOD, name: `good_${at}` }] });
        expect(textOf(await client.callTool({ name: 'define', arguments: { json } }))).toBe('defined');
        await waitFor(async () => (await listsOf(client)).tools.includes(`good_${at}`));
        expect(await listsOf(client), forgery.what).toEqual({
          tools: ['answer', 'define', 'good', `good_${at}`, 'honest'],
          others: [],
        });
        expect(await problemsOf(client, 'forger'), forgery.what).toContain(forgery.code);
      }
    });
  }
}, 240_000);

it('a definition that is forged while a plugin is loaded is dropped entry by entry', async () => {
  const workplace = makeForgedWorkplace({ forged: JSON.stringify(definitionOf(FORGERIES)) });
  await attempt(async () => {
    for (const client of await both(workplace)) {
      expect(await listsOf(client)).toEqual({ tools: ['good', 'honest'], others: [] });
      expect(await problemsOf(client, 'forger')).toEqual(expect.arrayContaining(codes(FORGERIES)));
    }
  }, FORGERIES.length);
});

it('a cache of definitions that was edited is not used', async () => {
  const workplace = makeForgedWorkplace();
  const first = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
  const honest = await listsOf(first);
  expect(honest.tools).toEqual(['answer', 'define', 'honest']);
  await first.close();
  const file = cacheFile(workplace);
  const cache = JSON.parse(readFileSync(file, 'utf8')) as { plugins: [string, { definition: object }][] };
  for (const [path, cached] of cache.plugins) {
    if (path.endsWith('forger.cjs')) cached.definition = definitionOf(FORGERIES);
  }
  writeFileSync(file, JSON.stringify(cache));
  await attempt(async () => {
    const client = await connect(workplace, { transport: 'stdio', version: '2026-07-28' });
    expect(await listsOf(client)).toEqual(honest);
    expect(await problemsOf(client, 'forger')).toEqual([]);
  }, FORGERIES.length);
});

function cacheFile({ folder }: Workplace): string {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) =>
    /plugins-[0-9a-f]{16}\.json$/.test(path),
  );
  return join(folder, found!);
}

it('what a mounted server lists is dropped entry by entry', async () => {
  // Below its prefix every name is its own, and what is not in MCP's lists is not looked at.
  const isItsOwn = ({ what, entry, code }: Forgery) =>
    code === 'TOOL_NAME_RESERVED' ||
    // A doubtful schema of a mounted server costs a check, not the tool.
    code === 'TOOL_SCHEMA_INVALID' ||
    / of the mounted server|reads like|a time |a listed|two addresses/.test(what) ||
    entry === undefined;
  const forgeries = FORGERIES.filter((forgery) => !isItsOwn(forgery));
  const { tools, resources, prompts } = definitionOf(forgeries);
  const isTemplate = (entry: unknown) => typeof entry === 'object' && entry !== null && 'uriTemplate' in entry;
  const lists = {
    tools,
    prompts,
    resources: resources.filter((entry) => !isTemplate(entry)),
    templates: resources.filter(isTemplate),
  };
  await attempt(async () => {
    for (const client of await both(makeForgedWorkplace({}, lists))) {
      expect(await listsOf(client)).toEqual({
        tools: ['answer', 'define', 'honest', 'mcp_bank_good'],
        others: ['forger://read', 'forger'],
      });
      expect(await problemsOf(client, 'mcp.bank')).toEqual(expect.arrayContaining(codes(forgeries)));
    }
  }, forgeries.length);
});

describe('an outcome that is forged', () => {
  /** Of tests that change nothing but the next outcome. */
  const ask = { name: 'ask', description: 'd', inputSchema: { type: 'object' } };
  const opened = shared(async (finished) =>
    both(makeForgedWorkplace({}, { ...NOTHING, tools: [ask] }, finished), finished),
  );
  const refused = { isError: true, structuredContent: { errors: [{ code: 'TOOL_INVALID_RESULT' }] } };

  it('by a plugin is TOOL_INVALID_RESULT, and its process continues', async () => {
    const clients = opened();
    for (const [what, outcome] of Object.entries(FORGED_OUTCOMES)) {
      await attempt(async () => {
        for (const client of clients) {
          const result = await client.callTool({ name: 'answer', arguments: { json: JSON.stringify(outcome) } });
          expect(result, what).toMatchObject(refused);
        }
      });
    }
    for (const client of clients)
      expect(textOf(await client.callTool({ name: 'honest', arguments: {} }))).toBe('honest');
  });

  it.each(['resource', 'prompt'])(
    'for a %s is an error',
    async (kind) => {
      const [client] = opened() as [Client, Client];
      for (const [what, outcome] of Object.entries(FORGED_OUTCOMES)) {
        await attempt(async () => {
          await client.callTool({ name: 'answer', arguments: { json: JSON.stringify(outcome), later: true } });
          const questions =
            kind === 'prompt' ? client.getPrompt({ name: 'forger' }) : client.readResource({ uri: 'forger://read' });
          await expect(questions, what).rejects.toThrow(/invalid result/);
        });
      }
    },
    120_000,
  );

  it('by a mounted server is TOOL_INVALID_RESULT', async () => {
    const clients = opened();
    for (const [what, result] of Object.entries(FORGED_RESULTS)) {
      await attempt(async () => {
        for (const client of clients) {
          const answer = await client.callTool({ name: 'mcp_bank_ask', arguments: { result: JSON.stringify(result) } });
          expect([what, codeOf(answer)]).toEqual([what, 'TOOL_INVALID_RESULT']);
        }
      });
    }
  });
});
