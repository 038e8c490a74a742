import { afterAll, describe, expect, it } from 'vitest';
import { ask, KEYS, post, type Reply, session, sharedServer } from './three-keys.js';

/** The ways to write a name. */
const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.replaceAll('.', '_'),
  (name) => name.replaceAll('.', '-'),
  (name) => name.replaceAll('.', '/'),
  (name) => name.replaceAll('.', ''),
  (name) => name.toUpperCase(),
  (name) => name[0]!.toUpperCase() + name.slice(1),
  (name) => ` ${name}`,
  (name) => `${name} `,
  (name) => `${name}\0`,
  (name) => `\ufeff${name}`,
  (name) => name.replaceAll('e', '\u0435'),
  (name) => encodeURIComponent(name).replaceAll('e', '%65'),
  (name) => name.replace('.', '%2e'),
  (name) => `mortise.${name}`,
  (name) => `builtin.plugins/../${name}`,
  (name) => `mcp.${name}`,
  (name) => `open.look,${name}`,
  (name) => name.slice(0, -1),
  (name) => `${name}${name.at(-1)}`,
];

const URI_SPELLINGS: readonly ((uri: string) => string)[] = [
  (uri) => uri,
  (uri) => uri.toUpperCase(),
  (uri) => uri.replace('://', ':'),
  (uri) => uri.replace('one', '%6fne'),
  (uri) => uri.replace('one', '%256fne'),
  (uri) => uri.replace('one', 'ONE'),
  (uri) => `${uri}?x=1`,
  (uri) => `${uri}#x`,
  (uri) => `${uri}/../one`,
  (uri) => ` ${uri}`,
];

/** An attempt of the key `open` to reach what its profile hides, and whether it was held. */
type Attempt = readonly [title: string, run: (url: string) => Promise<Reply>, isHeld: (reply: Reply) => boolean];

/** Nothing of the other plugin was done, and nothing that it has is mentioned, the name that was asked for aside. */
const isSilent = (asked = '') => {
  const own = asked.replace(/[\0\ufeff]/g, '').trim();
  return ({ text }: Reply) => {
    const rest = own === '' ? text : text.replaceAll(own, '');
    return !/zebra|open changed|text of open/i.test(rest);
  };
};

const open = (method: string, params: Record<string, unknown>) => (url: string) => ask(url, KEYS.open, method, params);

const HIDDEN_TOOLS = ['zebra.look', 'zebra.change', 'zebra.both', 'open.change'];
const RESOURCES = ['zebra://one', 'zebra://item/1', 'zebra://x', 'open://one'];

const ATTEMPTS: Attempt[] = [
  ...HIDDEN_TOOLS.flatMap((tool) =>
    SPELLINGS.map((spell): Attempt => {
      const name = spell(tool);
      return [
        `call ${JSON.stringify(name)}`,
        open('tools/call', { name }),
        (reply) => reply.body.error !== undefined && isSilent(name)(reply),
      ];
    }),
  ),
  ...RESOURCES.flatMap((uri) =>
    URI_SPELLINGS.map((spell): Attempt => {
      const text = spell(uri);
      return [
        `read ${JSON.stringify(text)}`,
        open('resources/read', { uri: text }),
        (reply) => reply.body.error !== undefined && isSilent(text)(reply),
      ];
    }),
  ),
  ...SPELLINGS.map((spell): Attempt => {
    const name = spell('zebra-ask');
    return [
      `get ${JSON.stringify(name)}`,
      open('prompts/get', { name }),
      (reply) => reply.body.error !== undefined && isSilent(name)(reply),
    ];
  }),
  ...SPELLINGS.map((spell): Attempt => {
    const ref = { type: 'ref/prompt', name: spell('zebra-ask') };
    return [
      `complete prompt ${JSON.stringify(ref.name)}`,
      open('completion/complete', { ref, argument: { name: 'topic', value: '' } }),
      (reply) => reply.body.error !== undefined && isSilent(ref.name)(reply),
    ];
  }),
  ...['zebra://item/{id}', 'zebra://{id}', 'ZEBRA://item/{id}', 'zebra://item/{ID}', 'zebra://item/1'].map(
    (uri): Attempt => [
      `complete template ${uri}`,
      open('completion/complete', { ref: { type: 'ref/resource', uri }, argument: { name: 'id', value: '' } }),
      (reply) => reply.body.error !== undefined && isSilent(uri)(reply),
    ],
  ),
  ...['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list', 'server/discover'].map(
    (method): Attempt => [method, open(method, {}), isSilent()],
  ),
  ...['Write', 'write', 'WRITE', 'Write ', '', null, undefined, 1, ['Write'], { a: 'Write' }].map(
    (action): Attempt => [
      `action ${JSON.stringify(action)}`,
      open('tools/call', { name: 'open_both', arguments: action === undefined ? {} : { action } }),
      (reply) =>
        reply.body.result?.isError === true &&
        !/did|Write'?[,.] |one of.*Write/.test(reply.text.replaceAll(JSON.stringify(action), '')),
    ],
  ),
  ...['mortise://plugins', 'mortise://plugins?all', 'MORTISE://plugins', 'mortise://contract'].map(
    (uri): Attempt => [
      uri,
      open('resources/read', { uri }),
      (reply) => !/"name\\*":\s*\\*"zebra|zebra[._]/.test(reply.text),
    ],
  ),
  ...['List', 'Status', 'Reload'].map(
    (action): Attempt => [
      `builtin.plugins ${action}`,
      open('tools/call', { name: 'builtin_plugins', arguments: { action, plugin: 'zebra' } }),
      (reply) => !/zebra\.|zebra_|looked/.test(reply.text),
    ],
  ),
  ...[
    '/mcp/',
    '/mcp/p/zebra',
    '/mcp/p/zebra/',
    '/mcp/p/zebra?x',
    '/mcp/p/readOnly',
    '/mcp/p/open',
    '/mcp?profile=zebra',
    '/mcp#zebra',
  ].map(
    (path): Attempt => [
      `list at ${path}`,
      (url) => ask(new URL(path, url).href, KEYS.open, 'tools/list'),
      (reply) => reply.status === 200 && isSilent()(reply),
    ],
  ),
  ...[
    '/mcp/p/',
    '/mcp/p/Zebra',
    '/mcp/p/nope',
    '/mcp/p/%7aebra',
    '/mcp//p/zebra',
    '/mcp/p/open/p/zebra',
    '/MCP',
    '//mcp',
    '/mcp/p/__proto__',
    '/mcp/p/constructor',
    '/mcp/p/readonly',
    '/mcp/zebra',
  ].map(
    (path): Attempt => [
      `list at ${path}`,
      (url) => ask(new URL(url).origin + path, KEYS.open, 'tools/list'),
      (reply) => reply.status === 404 && isSilent(path.split('/').at(-1))(reply),
    ],
  ),
  ...['mcp-profile', 'x-profile', 'x-forwarded-user', 'x-original-url', 'x-rewrite-url', 'x-http-method-override'].map(
    (header): Attempt => [
      `header ${header}`,
      (url) =>
        post(
          url,
          KEYS.open,
          {
            id: 1,
            method: 'tools/list',
            params: {
              _meta: {
                'io.modelcontextprotocol/protocolVersion': '2026-07-28',
                'io.modelcontextprotocol/clientCapabilities': {},
              },
            },
          },
          { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list', [header]: '/mcp/p/zebra' },
        ),
      (reply) => reply.status === 200 && isSilent()(reply),
    ],
  ),
];

describe('what a profile hides', () => {
  const url = sharedServer();
  const counts = { tried: 0, held: 0 };
  afterAll(() => console.log(`Attempts to get past a profile: ${counts.tried} tried, ${counts.held} held`));

  const check = (isHeld: boolean) => {
    counts.tried += 1;
    if (isHeld) counts.held += 1;
    expect(isHeld).toBe(true);
  };

  it('is there for the key that may see it', async () => {
    expect((await ask(url(), KEYS.zebra, 'tools/call', { name: 'zebra_look' })).text).toContain('zebra looked');
    expect((await ask(url(), KEYS.zebra, 'resources/read', { uri: 'zebra://one' })).text).toContain('text of zebra');
    expect(
      (await ask(url(), KEYS.open, 'tools/call', { name: 'open_both', arguments: { action: 'Read' } })).text,
    ).toContain('open did Read');
    expect((await ask(url(), KEYS.open, 'resources/read', { uri: 'open://item/7' })).text).toContain(
      'item of open at open://item/7',
    );
    expect(ATTEMPTS.length).toBeGreaterThan(200);
  });

  it.each(ATTEMPTS)('cannot be reached: %s', async (_title, run, isHeld) => {
    const reply = await run(url());
    if (!isHeld(reply)) console.log(_title, reply.status, reply.text.slice(0, 600));
    check(isHeld(reply));
  });

  it('cannot be reached in the session of another key, or of another URL', async () => {
    const headers = await session(url(), KEYS.zebra);
    const wide = await session(url(), KEYS.operator);
    const list = { id: 5, method: 'tools/list' };
    for (const [at, key, of] of [
      [url(), KEYS.open, headers],
      [`${url()}/p/open`, KEYS.zebra, headers],
      [`${url()}/p/zebra`, KEYS.zebra, wide],
      [`${url()}/p/open`, KEYS.operator, wide],
    ] as const) {
      const reply = await post(at, key, list, of);
      check(reply.status === 404 && isSilent()(reply));
    }
    const ended = await fetch(url(), {
      method: 'DELETE',
      headers: { authorization: `Bearer ${KEYS.open}`, ...headers },
    });
    check(ended.status === 404);
    expect((await post(url(), KEYS.zebra, list, headers)).status).toBe(200);
  });

  it('is not heard of: updates and log lines go to those who see the plugin', async () => {
    const streams = await Promise.all(
      [KEYS.open, KEYS.zebra].map(async (key) => {
        const headers = { ...(await session(url(), key)), authorization: `Bearer ${key}` };
        for (const uri of ['zebra://one', 'open://item/1', 'open://one'])
          await post(url(), key, { id: 2, method: 'resources/subscribe', params: { uri } }, headers);
        await post(url(), key, { id: 3, method: 'logging/setLevel', params: { level: 'debug' } }, headers);
        const stop = new AbortController();
        const response = await fetch(url(), {
          headers: { ...headers, accept: 'text/event-stream' },
          signal: stop.signal,
        });
        const heard = { text: '', stop, done: Promise.resolve() };
        const read = async () => {
          for await (const chunk of response.body!) heard.text += Buffer.from(chunk).toString();
        };
        heard.done = read().catch(() => {});
        return heard;
      }),
    );
    const [ofOpen, ofSecret] = streams as [(typeof streams)[0], (typeof streams)[0]];
    await ask(url(), KEYS.zebra, 'tools/call', { name: 'zebra_update' });
    await expect.poll(() => ofSecret.text).toContain('zebra://one');
    await ask(url(), KEYS.zebra, 'tools/call', { name: 'zebra_say' });
    await expect.poll(() => ofSecret.text).toContain('zebra says');
    await ask(url(), KEYS.open, 'tools/call', { name: 'open_update' });
    check(!ofOpen.text.includes('zebra'));
    check(!ofOpen.text.includes('open://one'));
    for (const { stop } of streams) stop.abort();
    await Promise.all(streams.map(({ done }) => done));
  });
});
