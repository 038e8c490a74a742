import { isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse } from '@modelcontextprotocol/server';
import { DECLARATION, type Era, VERSION } from './generated-messages.js';

/** A line, and how our server and the SDK's answer it. */
export interface Comparison {
  readonly era: Era;
  readonly line: string;
  readonly ours: string;
  readonly sdk: string;
}

/** An intended difference: what it is about, why it is right, and a line that shows it. */
export interface Difference {
  readonly reason: string;
  readonly example: Comparison;
  readonly covers: (comparison: Comparison) => boolean;
}

const request = (members: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', ...members });

/** Whether the SDK takes a line for a message of JSON-RPC at all. */
function isMessage(line: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return false;
  }
  return isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value);
}

const REFUSALS = ['-32700', '-32600', '-32602'];

/** Everything in which our server answers otherwise than the SDK's, over stdio. */
export const DIFFERENCES: readonly Difference[] = [
  {
    reason:
      "the SDK's transport drops what is not JSON-RPC; JSON-RPC 2.0 wants an error, so that no client waits forever",
    example: { era: 'session', line: `[${request({})}]`, ours: '-32600', sdk: 'silence' },
    covers: ({ line, ours, sdk }) => sdk === 'silence' && REFUSALS.includes(ours) && !isMessage(line),
  },
  {
    reason: 'wrong parameters are −32602 in JSON-RPC 2.0; the low-level server of the SDK has −32603 for them',
    example: {
      era: 'session',
      line: request({ method: 'resources/read', params: {} }),
      ours: '-32602',
      sdk: '-32603',
    },
    covers: ({ ours, sdk }) => ours === '-32602' && sdk === '-32603',
  },
  {
    reason: 'the declaration is checked before the method: which methods there are depends on the version',
    example: {
      era: 'stateless',
      line: request({ method: 'unknown', params: {} }),
      ours: '-32602',
      sdk: '-32601',
    },
    covers: ({ era, ours, sdk }) => era !== 'session' && ours === '-32602' && sdk === '-32601',
  },
  {
    reason: 'every request of 2026-07-28 names its version; the SDK looks at that of the first one only',
    example: {
      era: 'stateless',
      line: request({ params: { _meta: { ...DECLARATION, [VERSION]: '2025-11-25' } } }),
      ours: '-32022',
      sdk: 'result',
    },
    covers: ({ era, line, ours }) =>
      era === 'stateless' && ours === '-32022' && !line.includes(`"${VERSION}":"2026-07-28"`),
  },
  {
    reason: 'a subscription to nothing is answered at once, because nothing will be said in it',
    example: {
      era: 'stateless',
      line: request({ method: 'subscriptions/listen', params: { notifications: {}, _meta: DECLARATION } }),
      ours: 'notifications/subscriptions/acknowledged result',
      sdk: 'notifications/subscriptions/acknowledged',
    },
    covers: ({ ours, sdk }) => ours === `${sdk} result` && sdk === 'notifications/subscriptions/acknowledged',
  },
];
