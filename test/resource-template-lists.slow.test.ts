import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { connect } from './support/clients.js';
import { createWorkplace } from './support/workplace.js';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

/** Lists what it has at the moment, its own list of faults, and one that another plugin has. */
const NOTES = `let added = [];
exports.register = (api) => {
  api.registerResource({
    uriTemplate: 'notes://{day}', name: 'Note', mimeType: 'text/plain',
    list: async ({ signal, logger }) => [
      ...added.map((day) => ({ uri: 'notes://' + day, name: day })),
      { uri: 'notes://monday', name: 'Monday', title: 'Of ${TOKEN}', mimeType: 'text/markdown' },
    ],
    read: (uri, { day }) => 'about ' + day,
  });
  api.registerResource({
    uriTemplate: 'faults://{id}', name: 'Fault',
    list: () => [
      { uri: 'faults://1', name: 'One' }, { uri: 'faults://1', name: 'One again' }, { uri: 'other://2', name: 'Two' },
      { uri: 'faults://3' }, 'faults://4', { uri: 'faults://{x}', name: 'A template', uriTemplate: 'faults://{x}' },
    ],
    read: () => null,
  });
  api.registerResource({ uri: 'notes://fixed', name: 'Fixed', read: () => 'fixed' });
  api.registerTool({ name: 'add', title: 'Add', description: 'Adds.', inputSchema: { type: 'object' },
    run: ({ day }) => { added.push(day); api.resourceListChanged(); return day; } });
};`;

const template = (name: string, list: string) => `exports.register = (api) => api.registerResource({
  uriTemplate: '${name}://{id}', name: '${name}', list: ${list}, read: () => null });`;

const FILES = {
  'plugins/broken.cjs': template('broken', `() => { throw new Error('no database, ${TOKEN}'); }`),
  'plugins/hangs.cjs': template('hangs', '() => new Promise(() => {})'),
  'plugins/notes.cjs': NOTES,
  'plugins/odd.cjs': template('odd', "() => new Map([['a', 1]])"),
  'plugins/text.cjs': template('text', "() => 'notes'"),
  'plugins/thief.cjs': `exports.register = (api) => api.registerResource({
    uriTemplate: 'notes://{zone}', name: 'thief', list: () => [{ uri: 'notes://fixed', name: 'Stolen' }], read: () => 'x' });`,
};

const open = (plugins: object, tools: object = {}, files: Record<string, string> = FILES) => {
  const workplace = createWorkplace(files, {
    Plugins: { Directory: 'plugins', StartWaitMs: 60_000, ...plugins },
    Tools: { TimeoutMs: 2_000, ...tools },
    Dotnet: { Enabled: false },
  });
  return {
    workplace,
    connect: (version: '2025-11-25' | '2026-07-28' = '2025-11-25') =>
      connect(workplace, { transport: 'stdio', version }),
  };
};

async function readPlugins(client: Client): Promise<{ name: string; problems: { code: string; message: string }[] }[]> {
  const { contents } = await client.readResource({ uri: 'mortise://plugins' });
  return JSON.parse((contents[0] as { text: string }).text);
}

const PATIENT = { timeout: 40_000, interval: 100 };

describe.each([
  ['in a process', {}],
  ['in the server', { Isolation: 'none' }],
])('templates that list their resources, of a plugin %s', (_, plugins) => {
  it('are in resources/list with what they list now; what one plugin does wrong is its problem alone', async () => {
    const { workplace, connect } = open(plugins);
    const client = await connect();
    const listed = async () =>
      (await client.listResources()).resources.filter(({ uri }) => !uri.startsWith('mortise:'));
    // A process that starts on a busy machine may miss the first list.
    await expect.poll(listed, PATIENT).toEqual([
      { uri: 'notes://fixed', name: 'Fixed' },
      { uri: 'faults://1', name: 'One' },
      { uri: 'notes://monday', name: 'Monday', title: 'Of [REDACTED]', mimeType: 'text/markdown' },
    ]);
    let changes = 0;
    client.setNotificationHandler('notifications/resources/list_changed', () => {
      changes += 1;
    });
    await client.callTool({ name: 'add', arguments: { day: 'friday' } });
    await expect.poll(() => changes).toBe(1);
    expect(await listed()).toContainEqual({ uri: 'notes://friday', name: 'friday', mimeType: 'text/plain' });
    const { contents } = await client.readResource({ uri: 'notes://friday' });
    expect(contents).toEqual([{ uri: 'notes://friday', mimeType: 'text/plain', text: 'about friday' }]);

    const problems = async () => {
      await listed();
      const plugins = await readPlugins(client);
      return Object.fromEntries(plugins.map(({ name, problems }) => [name, problems.map(({ message }) => message)]));
    };
    await expect.poll(problems, PATIENT).toEqual({
      broken: ['list of broken://{id}: no database, [REDACTED]'],
      hangs: [expect.stringContaining('list of hangs://{id}: ')],
      odd: ['list of odd://{id}: it returned a Map; return Object.fromEntries(map)'],
      text: ['list of text://{id}: it returned a string'],
      notes: [
        'list of faults://{id}: other://2 (and 1 more) does not fit the template and is not listed',
        expect.stringContaining("Resource 'faults://1' is refused: it is defined twice."),
        'Resource faults://3 has no name.',
        'A resource must have either uri or uriTemplate.',
      ],
      thief: [],
    });

    const pins = join(workplace.folder, 'mortise.lock.json');
    await expect.poll(() => existsSync(pins) && readFileSync(pins, 'utf8')).toContain('notes://{day}');
    expect(readFileSync(pins, 'utf8')).not.toContain('notes://monday');
  });
});

const COUNTING = `let calls = 0;
exports.register = (api) => {
  api.registerResource({ uriTemplate: 'n://{id}', name: 'n', read: () => 'x',
    list: () => { calls += 1; return Array.from({ length: 5 }, (_, i) => ({ uri: 'n://' + calls + '-' + i, name: String(i) })); } });
  api.registerTool({ name: 'calls', title: 'c', description: 'd', inputSchema: { type: 'object' }, run: () => String(calls) });
};`;

it.each(['2025-11-25', '2026-07-28'] as const)(
  'later pages continue the list that the first one began (%s)',
  async (version) => {
    const client = await open({}, { PageSize: 2, TimeoutMs: 50_000 }, { 'plugins/n.cjs': COUNTING }).connect(version);
    await client.callTool({ name: 'calls', arguments: {} });
    const uris: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.request({ method: 'resources/list', params: cursor === undefined ? {} : { cursor } });
      expect(page.resources.length).toBeLessThanOrEqual(2);
      uris.push(...page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const own = uris.filter((uri) => uri.startsWith('n://'));
    const [, run] = /^n:\/\/(\d+)-/.exec(own[0]!)!;
    expect(own).toEqual(Array.from({ length: 5 }, (_, i) => `n://${run}-${i}`));
    expect(new Set(uris).size).toBe(uris.length);
  },
);

it('more than Plugins.Limits.Resources is cut, and a problem says so', async () => {
  const list = "() => Array.from({ length: 12 }, (_, i) => ({ uri: 'many://' + i, name: String(i) }))";
  const files = { 'plugins/many.cjs': template('many', list) };
  const client = await open({ Limits: { Resources: 10 } }, {}, files).connect();
  const countListed = async () =>
    (await client.listResources()).resources.filter(({ uri }) => uri.startsWith('many:')).length;
  await expect.poll(countListed, PATIENT).toBe(10);
  const problems = (await readPlugins(client)).flatMap((plugin) => plugin.problems);
  expect(problems.map(({ code }) => code)).toEqual(['LIMIT_EXCEEDED']);
});
