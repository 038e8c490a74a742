import fc from 'fast-check';

export type Era = 'session' | 'stateless' | 'unopened';

/** One line that a client writes, and what went before it. */
export interface Sample {
  readonly era: Era;
  readonly line: string;
}

export const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

export const DECLARATION = {
  [VERSION]: '2026-07-28',
  [CAPABILITIES]: {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

const message = (method: string, params: object, id?: string | number) =>
  JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), method, params });

/** What a client says before, by era: the requests are answered. */
export const OPENING: Record<Era, readonly string[]> = {
  session: [message('initialize', INITIALIZE, 'first'), message('notifications/initialized', {})],
  stateless: [message('tools/list', { _meta: DECLARATION }, 'first')],
  unopened: [],
};

/** A request of every method with parameters that are right, and each notification of a client. */
export const VALID: readonly { readonly method: string; readonly params: Record<string, unknown> }[] = [
  { method: 'initialize', params: INITIALIZE },
  { method: 'ping', params: {} },
  { method: 'server/discover', params: {} },
  { method: 'tools/list', params: { cursor: 'a' } },
  { method: 'tools/list', params: {} },
  { method: 'tools/call', params: { name: 'echo', arguments: { a: 1, b: { c: [], d: 'e' } } } },
  { method: 'tools/call', params: { name: 'unknown' } },
  { method: 'resources/list', params: {} },
  { method: 'resources/templates/list', params: {} },
  { method: 'resources/read', params: { uri: 'test://a' } },
  { method: 'resources/subscribe', params: { uri: 'test://a' } },
  { method: 'resources/unsubscribe', params: { uri: 'test://a' } },
  { method: 'prompts/list', params: {} },
  { method: 'prompts/get', params: { name: 'greet', arguments: { who: 'you' } } },
  {
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'y' } },
  },
  {
    method: 'completion/complete',
    params: {
      ref: { type: 'ref/resource', uri: 'test://{id}' },
      argument: { name: 'id', value: '' },
      context: { arguments: { a: 'b' } },
    },
  },
  { method: 'logging/setLevel', params: { level: 'info' } },
  { method: 'subscriptions/listen', params: { notifications: { resourceSubscriptions: ['test://a'] } } },
];

const NOTIFICATIONS: typeof VALID = [
  { method: 'notifications/initialized', params: {} },
  { method: 'notifications/cancelled', params: { requestId: 'none', reason: 'test' } },
  { method: 'notifications/progress', params: { progressToken: 'none', progress: 1 } },
  { method: 'notifications/roots/list_changed', params: {} },
  { method: 'notifications/unknown', params: {} },
];

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

const nested = (depth: number): Json => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

const junk: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  'x',
  '2.0',
  '2025-11-25',
  [],
  ['x'],
  {},
  { a: 1 },
  { a: 'b' },
  nested(2_000),
);

/** A change of one place in a message. */
type Mutation =
  | { readonly kind: 'remove' | 'add'; readonly at: number; readonly value: Json }
  | { readonly kind: 'replace'; readonly at: number; readonly value: Json }
  | { readonly kind: 'method'; readonly value: string }
  | { readonly kind: 'response'; readonly value: Json };

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('remove' as const, 'add' as const, 'replace' as const),
      at: fc.nat(),
      value: junk,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('method' as const),
      value: fc.constantFrom(
        '',
        'unknown',
        'tools/',
        'constructor',
        '__proto__',
        'toString',
        'tasks/list',
        'notifications/x',
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('response' as const), value: junk }) },
);

type Members = Record<string, Json>;

/** All objects in a value, with the names of their members. */
function places(value: Json): { owner: Members; name: string }[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.keys(value).flatMap((name) => [{ owner: value, name }, ...places(value[name]!)]);
}

function mutate(target: Members, change: Mutation): void {
  if (change.kind === 'method') target.method = change.value;
  else if (change.kind === 'response') {
    delete target.method;
    delete target.params;
    target.result = structuredClone(change.value);
  } else {
    const all = places(target);
    if (all.length === 0) return;
    const { owner, name } = all[change.at % all.length]!;
    if (change.kind === 'remove') delete owner[name];
    else owner[change.kind === 'add' ? 'extra' : name] = structuredClone(change.value);
  }
}

/** What becomes of the whole line. */
const WRAPS: readonly ((text: string) => string)[] = [
  (text) => `[${text}]`,
  (text) => `[${text},${text}]`,
  () => '[]',
  (text) => text.slice(0, -1),
  (text) => `${text}x`,
  () => 'null',
  () => '"text"',
  (text) => ` ${text}\t\r`,
];

export const wrap = fc.oneof(
  { weight: 12, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom(...WRAPS) },
);

const id = fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.constantFrom('a', '', 'é', '0'));

/** A message as an object: of an era, valid or changed in up to three places. */
export const changedMessage = (era: Era): fc.Arbitrary<Members> =>
  fc
    .record({
      rule: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...VALID) },
        { weight: 1, arbitrary: fc.constantFrom(...NOTIFICATIONS) },
      ),
      id,
      isDeclared: era === 'unopened' ? fc.boolean() : fc.constant(era === 'stateless'),
      changes: fc.array(mutation, { maxLength: 3 }),
    })
    .map(({ rule: { method, params }, id, isDeclared, changes }) => {
      const isRequest = !method.startsWith('notifications/');
      const meta = isDeclared ? { _meta: DECLARATION } : {};
      const target = structuredClone({
        jsonrpc: '2.0',
        ...(isRequest && { id }),
        method,
        params: { ...params, ...meta },
      }) as Members;
      for (const change of changes) mutate(target, change);
      return target;
    });

export const sample: fc.Arbitrary<Sample> = fc.constantFrom<Era>('session', 'stateless', 'unopened').chain((era) =>
  fc.record({ target: changedMessage(era), wrap }).map(({ target, wrap }) => {
    const text = JSON.stringify(target);
    return { era, line: wrap ? wrap(text) : text };
  }),
);
