import { paramsFor, SESSIONS } from '../../bench/client/protocol.mjs';
import { mutateText, mutateValue } from './mutate.mjs';

const clientInfo = { name: 'prove', version: '1.0.0' };
const PROMPT = { type: 'ref/prompt', name: 'greet' };

/** A message of each method with correct parameters. */
const VALID = [
  ['initialize', { protocolVersion: SESSIONS, capabilities: {}, clientInfo }],
  ['ping', {}],
  ['server/discover', {}],
  ['tools/list', {}],
  ['tools/list', { cursor: 'a' }],
  ['tools/call', { name: 'echo', arguments: { text: 'a' } }],
  ['tools/call', { name: 'echo', arguments: { text: 'a', more: { b: [1, 'c', { d: null }] } } }],
  ['tools/call', { name: 'echo', arguments: { text: 'a' }, _meta: { progressToken: 1 } }],
  ['tools/call', { name: 'unknown' }],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'notes://a' }],
  ['resources/subscribe', { uri: 'notes://a' }],
  ['resources/unsubscribe', { uri: 'notes://a' }],
  ['prompts/list', {}],
  ['prompts/get', { name: 'greet', arguments: { who: 'you' } }],
  ['completion/complete', { ref: PROMPT, argument: { name: 'who', value: 'y' }, context: { arguments: { a: 'b' } } }],
  ['logging/setLevel', { level: 'error' }],
  ['tasks/get', { taskId: 'none' }],
  ['tasks/cancel', { taskId: 'none' }],
  ['notifications/initialized', {}],
  ['notifications/cancelled', { requestId: 'none', reason: 'a' }],
  ['notifications/progress', { progressToken: 'none', progress: 1 }],
  ['notifications/roots/list_changed', {}],
];

/** A plugin with the tools, resources and prompts that the messages ask for. */
export const PLUGIN = `
export function register(api) {
  const properties = { text: { type: 'string', pattern: '^.*$' } };
  api.registerTool({ name: 'echo', description: 'd', inputSchema: { type: 'object', properties }, run: ({ text }) => text ?? '' });
  api.registerResource({ uri: 'notes://a', name: 'a', read: () => 'a note' });
  const complete = () => ['you'];
  api.registerPrompt({ name: 'greet', arguments: [{ name: 'who', complete }], get: () => 'hello' });
}`;

/**
 * Makes mutated messages as texts, each with its own id. The same random numbers make the same messages.
 * @param options.version the version of the protocol that the unchanged messages have
 * @param options.generated values from `generatedValues`
 */
export function createMessages(random, { version, generated }) {
  let count = 0;
  return function next() {
    const [method, params] = random.pick(VALID);
    const id = method.startsWith('notifications/') ? {} : { id: `f${++count}` };
    const message = { jsonrpc: '2.0', ...id, method, params: paramsFor(version, params) };
    const kind = random.integer(10);
    if (kind === 0) return JSON.stringify(message);
    const text = JSON.stringify(kind < 7 ? mutateValue(message, random, generated) : message) ?? 'null';
    // A half of a pair of surrogates cannot be sent.
    return kind < 5 ? text : mutateText(text, random).toWellFormed();
  };
}

/** Parses a line. @returns undefined if it is not a JSON object */
export function messageIn(line) {
  try {
    const message = JSON.parse(line);
    return typeof message === 'object' && message !== null && !Array.isArray(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** The id by which a request has to be answered; undefined if it is none, or its answer comes at an end that nobody sets. */
export function answeredId(line) {
  const { jsonrpc, method, id } = messageIn(line) ?? {};
  const isUsable = typeof id === 'string' || Number.isSafeInteger(id);
  return isUsable && jsonrpc === '2.0' && typeof method === 'string' && method !== 'subscriptions/listen'
    ? id
    : undefined;
}
