/** What may be in a definition that someone forged, with the code of the problem that its plugin has then. */
export interface Forgery {
  readonly what: string;
  readonly list: 'tools' | 'resources' | 'prompts';
  readonly entry: unknown;
  readonly code: string;
}

const tool = (more: object) => ({
  name: 'forged',
  description: 'Forged.',
  inputSchema: { type: 'object' },
  origin: 'x',
  ...more,
});
const schema = (inputSchema: unknown) => tool({ inputSchema });
const nested = (levels: number): object => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as object;

const tools = (code: string, entries: Record<string, unknown>): Forgery[] =>
  Object.entries(entries).map(([what, entry]) => ({ what, list: 'tools', entry, code }));
const resources = (code: string, entries: Record<string, unknown>): Forgery[] =>
  Object.entries(entries).map(([what, entry]) => ({ what, list: 'resources', entry, code }));
const prompts = (code: string, entries: Record<string, unknown>): Forgery[] =>
  Object.entries(entries).map(([what, entry]) => ({ what, list: 'prompts', entry, code }));

/** Each is refused whichever way it comes. */
export const FORGERIES: readonly Forgery[] = [
  ...tools('TOOL_NAME_RESERVED', {
    'the name of a built-in tool': tool({ name: 'builtin.evil' }),
    'the name of a built-in tool in capitals': tool({ name: 'BUILTIN.plugins' }),
    'the wire name of a built-in tool': tool({ name: 'builtin_plugins' }),
    'a name of the mounted server': tool({ name: 'mcp.bank.transfer' }),
    'the wire name of the mounted server': tool({ name: 'mcp_bank_transfer' }),
    'the wire name with other separators': tool({ name: 'mcp-bank.transfer' }),
    'the wire name in capitals': tool({ name: 'Mcp_Bank_anything' }),
    'the wire name as some clients spell it': tool({ name: 'mcp__bank__transfer' }),
  }),
  ...tools('TOOL_NAME_INVALID', {
    'a name with a space': tool({ name: 'a b' }),
    'an empty name': tool({ name: '' }),
    'a name of 129 characters': tool({ name: 'n'.repeat(129) }),
    'a name with a line break': tool({ name: 'a\n' }),
  }),
  ...tools('TOOL_MALFORMED', {
    null: null,
    'a number': 5,
    'a list': [],
    'a name that is a number': tool({ name: 5 }),
    'no name': tool({ name: undefined }),
    'a title that is a number': tool({ title: 5 }),
    'a title of 2,000 characters': tool({ title: 't'.repeat(2000) }),
    'a description that is a list': tool({ description: ['x'] }),
    'annotations that are a list': tool({ annotations: [] }),
    'a hint that is a text': tool({ annotations: { readOnlyHint: 'yes' } }),
    'a hint that is null': tool({ annotations: { destructiveHint: null } }),
    'a title of annotations that is an object': tool({ annotations: { title: {} } }),
    'annotations of 300 levels': tool({ annotations: nested(300) }),
    'a time of zero': tool({ timeoutMs: 0 }),
    'a time that is a text': tool({ timeoutMs: '5' }),
    'a time of months': tool({ timeoutMs: 1e12 }),
    'a listed that is a text': tool({ listed: 'no' }),
  }),
  ...tools('TOOL_SCHEMA_INVALID', {
    'a root of another type': schema({ type: 'array' }),
    'a root of two types': schema({ type: ['object', 'null'] }),
    'a schema that is a list': schema([]),
    'a schema that is true': schema(true),
    'a schema that is a text': schema('object'),
    'properties that are a list': schema({ type: 'object', properties: [] }),
    'a property that is a text': schema({ type: 'object', properties: { a: 'string' } }),
    'a property that is null': schema({ type: 'object', properties: { a: null } }),
    'required that is a text': schema({ type: 'object', required: 'a' }),
    'required that are numbers': schema({ type: 'object', required: [1] }),
    '$schema that is a number': schema({ type: 'object', $schema: 5 }),
    'a dialect that no one knows': schema({ type: 'object', $schema: 'https://example.org/none' }),
    'a pattern that is not one': schema({ type: 'object', properties: { a: { type: 'string', pattern: '(' } } }),
    'a reference that cannot be resolved': schema({ type: 'object', properties: { a: { $ref: '#/$defs/none' } } }),
    'a reference to itself': schema({ type: 'object', allOf: [{ $ref: '#' }] }),
    '300 levels': schema({ type: 'object', properties: nested(300) }),
    '1,500 levels': schema({ type: 'object', default: nested(1500) }),
    'an outputSchema of another type': tool({ outputSchema: { type: 'string' } }),
    'an outputSchema with properties that are a text': tool({ outputSchema: { type: 'object', properties: 'x' } }),
    'an outputSchema with a type that is not one': tool({
      outputSchema: { type: 'object', properties: { a: { type: 'nonsense' } } },
    }),
  }),
  ...resources('RESOURCE_MALFORMED', {
    'a text': 'x',
    'no address': { name: 'r' },
    'two addresses': { uri: 'a://b', uriTemplate: 'a://{b}', name: 'r' },
    'a URI without a scheme': { uri: 'no scheme', name: 'r' },
    'a URI that cannot be parsed': { uri: 'http://[', name: 'r' },
    'a URI that is a number': { uri: 5, name: 'r' },
    'no name': { uri: 'a://b' },
    'a name of 2,000 characters': { uri: 'a://b', name: 'r'.repeat(2000) },
    'a MIME type that is a number': { uri: 'a://b', name: 'r', mimeType: 5 },
    'a template without an end': { uriTemplate: 'a://{b', name: 'r' },
  }),
  ...resources('LIMIT_EXCEEDED', {
    'a URI of 10,000 characters': { uri: `a://${'b'.repeat(10_000)}`, name: 'r' },
  }),
  ...resources('RESOURCE_URI_RESERVED', {
    "the server's own resource": { uri: 'mortise://plugins', name: 'r' },
    'its scheme': { uri: 'mortise://anything', name: 'r' },
    'its scheme in capitals': { uri: 'MORTISE://plugins', name: 'r' },
    'a template in its scheme': { uriTemplate: 'mortise://outputs/{id}', name: 'r' },
  }),
  ...prompts('PROMPT_MALFORMED', {
    'a number': 5,
    'no name': {},
    'an empty name': { name: '' },
    'a name of the mounted server': { name: 'mcp.bank.report' },
    'a name that reads like one of the mounted server': { name: 'mcp_bank_report' },
    'a name that reads like it in other letters': { name: 'ｍｃｐ．ｂａｎｋ．report' },
    'a description that is an object': { name: 'p', description: {} },
    'arguments that are a text': { name: 'p', arguments: 'x' },
    'an argument that is null': { name: 'p', arguments: [null] },
    'an argument without a name': { name: 'p', arguments: [{}] },
    'required that is a text': { name: 'p', arguments: [{ name: 'a', required: 'yes' }] },
    'two arguments of one name': { name: 'p', arguments: [{ name: 'a' }, { name: 'a' }] },
  }),
];
