import { shared, startHttp } from '../support/clients.js';
import { createWorkplace, type Finished } from '../support/workplace.js';

const plugin = (name: string) => `
export function register(api) {
  const schema = { type: 'object', properties: { action: { type: 'string', enum: ['Read', 'Write'] }, fix: { type: 'boolean' } } };
  const tool = (suffix, more, run) => api.registerTool({
    name: '${name}.' + suffix, title: 'T', description: 'd', inputSchema: { type: 'object' }, run, ...more });
  tool('look', { annotations: { readOnlyHint: true } }, () => '${name} looked');
  tool('change', {}, () => '${name} changed');
  const actions = { Read: { optional: ['fix'], readOnlyHint: true, writesWith: ['fix'] }, Write: {} };
  tool('both', { inputSchema: schema, actions }, ({ action = 'Write', fix }) => '${name} did ' + action + (fix ? ' and fixed' : ''));
  tool('update', {}, () => { api.resourceUpdated('${name}://one'); return '${name} updated'; });
  tool('say', {}, () => { setTimeout(() => api.logger.warn('${name} says'), 1); return 'said'; });
  api.registerResource({ uri: '${name}://one', name: '${name}-one', read: () => 'text of ${name}' });
  api.registerResource({ uriTemplate: '${name}://item/{id}', name: '${name}-item',
    complete: { id: () => ['${name}-id'] }, read: (uri) => 'item of ${name} at ' + uri });
  api.registerResource({ uriTemplate: '${name}://{id}', name: '${name}-any', read: (uri) => 'any of ${name} at ' + uri });
  api.registerPrompt({ name: '${name}-ask', description: 'd', arguments: [{ name: 'topic', complete: () => ['${name}-topic'] }],
    get: () => 'prompt of ${name}' });
}`;

const key = (letter: string) => letter.repeat(32);
export const KEYS = { open: key('o'), zebra: key('s'), reader: key('r'), operator: key('p'), viewer: key('v') };

const SETTINGS = {
  Plugins: { Directory: 'plugins' },
  Dotnet: { Enabled: false },
  Tools: { TrustAnnotations: ['open'] },
  Profiles: {
    open: { Exclude: ['zebra', '*.change', 'open://one'], Actions: { 'open.both': ['Read'] } },
    zebra: { Include: ['zebra'] },
  },
  Auth: {
    Keys: [
      { Name: 'open', Key: KEYS.open, Profile: 'open' },
      { Name: 'zebra', Key: KEYS.zebra, Profile: 'zebra' },
      { Name: 'reader', Key: KEYS.reader, Profile: 'readOnly', Scopes: ['mortise:read'] },
      { Name: 'viewer', Key: KEYS.viewer, Profile: 'readOnly', Scopes: ['mortise:read', 'mortise:write'] },
      { Name: 'operator', Key: KEYS.operator, Scopes: ['mortise:read', 'mortise:operate'] },
    ],
  },
};

/** A server with two plugins, `open` and `zebra`, and five keys; for all tests of a `describe`. */
export const sharedServer = () =>
  shared(async (finished: Finished) => {
    const files = { 'plugins/open.mjs': plugin('open'), 'plugins/zebra.mjs': plugin('zebra') };
    const { url } = await startHttp(createWorkplace(files, SETTINGS, finished), [], finished);
    return url;
  });

/** What a request was answered. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at members that may be missing
  readonly body: any;
  readonly sessionId: string | null;
  /** The header WWW-Authenticate. */
  readonly challenge: string | null;
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Posts one message. */
export async function post(
  url: string,
  key: string,
  message: object,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...HEADERS, authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  const text = await response.text();
  const data = text.startsWith('{') ? text : text.match(/^data: (\{.*)$/m)?.[1];
  return {
    status: response.status,
    text,
    body: data === undefined ? undefined : JSON.parse(data),
    sessionId: response.headers.get('mcp-session-id'),
    challenge: response.headers.get('www-authenticate'),
  };
}

/** A request of 2026-07-28. */
export function ask(
  url: string,
  key: string,
  method: string,
  params: Record<string, unknown> = {},
  capabilities: object = {},
): Promise<Reply> {
  const name = params.name ?? params.uri ?? params.taskId;
  const isPlain = typeof name === 'string' && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(name);
  const encoded = isPlain ? name : `=?base64?${Buffer.from(String(name)).toString('base64')}?=`;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...(params._meta as object | undefined),
  };
  return post(
    url,
    key,
    { id: 1, method, params: { ...params, _meta } },
    {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': encoded }),
    },
  );
}

/** A session of 2025-11-25: its headers. */
export async function session(url: string, key: string): Promise<Record<string, string>> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const { sessionId } = await post(url, key, { id: 0, method: 'initialize', params });
  const headers = { 'mcp-session-id': sessionId! };
  await post(url, key, { method: 'notifications/initialized' }, headers);
  return headers;
}
