import { type HttpSample, headersOf } from './generated-http.js';
import { DECLARATION, VERSION } from './generated-messages.js';
import type { Verdict } from './judged-servers.js';

/** A request, and how our server and the SDK's answer it. */
export interface HttpComparison extends HttpSample {
  readonly ours: Verdict;
  readonly sdk: Verdict;
}

/** An intended difference: what it is about, why it is right, and a request that shows it. */
export interface HttpDifference {
  readonly reason: string;
  readonly example: HttpComparison;
  readonly covers: (comparison: HttpComparison) => boolean;
}

function post(message: object, headers: Record<string, string> = {}): HttpSample {
  const body = { jsonrpc: '2.0', ...message };
  return { httpMethod: 'POST', headers: { ...headersOf(body), ...headers }, body: JSON.stringify(body) };
}

const OF_SESSION = { 'mcp-protocol-version': '2025-11-25' };

// biome-ignore lint/suspicious/noExplicitAny: members may be anything, or missing
function parsed(body: string): any {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** By its date. */
const isStateless = (version: unknown) => typeof version === 'string' && version >= '2026-07-28';

/** Whether nothing but a session can have sent it: a response, or what names no version of 2026-07-28 or later. */
function isOfSession({ headers, body }: HttpSample): boolean {
  const { id, method, params } = parsed(body) ?? {};
  if (method === undefined) return true;
  if (isStateless(headers['mcp-protocol-version'])) return false;
  const declared = params?._meta?.[VERSION];
  return method === 'initialize' || declared === undefined || (id === undefined && !isStateless(declared));
}

/** No session, an unknown one, a wrong `Accept`, and what `initialize` is answered. */
const SESSION_VERDICTS = ['400 -32000', '404 -32001', '406 -32000', '200 result', '400 -32602'];

/** Everything in which our endpoint answers 2026-07-28 otherwise than the SDK's handler, over HTTP. */
export const HTTP_DIFFERENCES: readonly HttpDifference[] = [
  {
    reason: 'a message without a version of 2026-07-28 belongs to a session here; the handler has no sessions',
    example: { ...post({ id: 1, method: 'tools/list' }, OF_SESSION), ours: '400 -32000', sdk: '400 -32022' },
    covers: ({ ours, ...sample }) => SESSION_VERDICTS.includes(ours) && isOfSession(sample),
  },
  {
    reason: 'GET and DELETE are requests of sessions here; the handler has no sessions',
    example: { httpMethod: 'GET', headers: {}, body: '', ours: '400 -32000', sdk: '405 -32000' },
    covers: ({ httpMethod, ours, sdk }) =>
      ['GET', 'DELETE'].includes(httpMethod) && sdk === '405 -32000' && SESSION_VERDICTS.includes(ours),
  },
  {
    reason: 'wrong parameters are −32602 in JSON-RPC 2.0; the low-level server of the SDK has −32603 for them',
    example: {
      ...post({ id: 1, method: 'resources/read', params: { _meta: DECLARATION } }),
      ours: '200 -32602',
      sdk: '200 -32603',
    },
    covers: ({ ours, sdk }) => ours === '200 -32602' && sdk === '200 -32603',
  },
  {
    reason: "a wrong _meta or progressToken is a wrong parameter; to the SDK the whole message is not JSON-RPC's",
    example: {
      ...post({ id: 1, method: 'tools/list', params: { _meta: 'x' } }),
      ours: '400 -32602',
      sdk: '400 -32600',
    },
    covers: ({ body, ours, sdk }) =>
      ours === '400 -32602' && sdk === '400 -32600' && parsed(body)?.params?._meta !== undefined,
  },
];
