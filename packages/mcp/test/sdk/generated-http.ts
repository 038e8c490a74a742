import fc from 'fast-check';
import { changedMessage, VERSION, wrap } from './generated-messages.js';

/** One HTTP request of a client. */
export interface HttpSample {
  readonly httpMethod: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Headers = Record<string, string>;

// biome-ignore lint/suspicious/noExplicitAny: members may be anything, or missing
type Changed = any;

/** Whether a value can be a header as it is. */
const isPlain = (value: unknown): value is string => typeof value === 'string' && /^[!-~]+$/.test(value);

/** The headers that a client of 2026-07-28 sends with a message. */
export function headersOf({ method, params }: Changed): Headers {
  const version = params?._meta?.[VERSION];
  const name = params?.name ?? params?.uri;
  const { a, b } = params?.arguments ?? {};
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': isPlain(version) ? version : '2026-07-28',
    'mcp-method': isPlain(method) ? method : 'tools/list',
    ...(isPlain(name) && { 'mcp-name': name }),
    ...(typeof a === 'number' && { 'mcp-param-a': String(a) }),
    ...(isPlain(b?.d) && { 'mcp-param-d': b.d }),
  };
}

const HEADER_NAMES = [
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-param-a',
  'mcp-param-d',
  'mcp-session-id',
  'content-type',
  'accept',
];

const HEADER_VALUES = [
  undefined,
  '',
  'x',
  '1',
  '1.0',
  '01',
  '2025-11-25',
  '2026-07-28',
  '2027-01-01',
  'tools/list',
  'tools/call',
  'TOOLS/CALL',
  'echo',
  ' echo ',
  'test://a',
  '=?base64?ZWNobw==?=',
  '=?base64?ZWNobw?=',
  '=?base64?MQ==?=',
  '=?base64??=',
  '=?base64?//79?=',
  '=?BASE64?ZWNobw==?=',
  'caf\u00e9',
  'application/json',
  'application/json; charset=utf-8',
  'APPLICATION/JSON;x',
  'application/json-patch+json',
  'text/event-stream',
  '*/*',
];

const headerChange = fc.record({ name: fc.constantFrom(...HEADER_NAMES), value: fc.constantFrom(...HEADER_VALUES) });

const HAVE_BODY = ['POST', 'PUT'];

const httpMethod = fc.oneof(
  { weight: 40, arbitrary: fc.constant('POST') },
  { weight: 1, arbitrary: fc.constantFrom('GET', 'DELETE', 'PUT', 'OPTIONS') },
);

export const httpSample: fc.Arbitrary<HttpSample> = fc
  .record({
    target: fc.oneof(
      { weight: 5, arbitrary: changedMessage('stateless') },
      { weight: 1, arbitrary: changedMessage('unopened') },
    ),
    wrap,
    httpMethod,
    headerChanges: fc.array(headerChange, { maxLength: 2 }),
  })
  .map(({ target, wrap, httpMethod, headerChanges }) => {
    const headers = headersOf(target);
    for (const { name, value } of headerChanges) {
      if (value === undefined) delete headers[name];
      else headers[name] = value;
    }
    if (!HAVE_BODY.includes(httpMethod)) return { httpMethod, headers, body: '' };
    const text = JSON.stringify(target);
    return { httpMethod, headers, body: wrap ? wrap(text) : text };
  });
