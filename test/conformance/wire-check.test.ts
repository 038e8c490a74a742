import { describe, expect, it } from 'vitest';
import { createWireCheck } from '../support/wire-check.js';

const META = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};
const INITIALIZE = { id: 'init', method: 'initialize', params: {} };
const INITIALIZED = {
  id: 'init',
  result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } },
};
const complete = { resultType: 'complete', content: [] };

const line = (message: object) => JSON.stringify({ jsonrpc: '2.0', ...message });

/** The violations of a server that answers these requests so. */
function faultsOf(requests: object[], answers: (object | string)[]): string {
  const check = createWireCheck();
  for (const request of requests) check.sent(line(request));
  for (const answer of answers) check.received(typeof answer === 'string' ? answer : line(answer));
  return check.violations.join('\n');
}

const CALL = { id: 1, method: 'tools/call', params: { name: 'x' } };
const MODERN_CALL = { id: 1, method: 'tools/call', params: { name: 'x', ...META } };
const ASK = {
  method: 'elicitation/create',
  params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
};

describe('what a server writes is valid', () => {
  it.each<[string, object[], (object | string)[]]>([
    ['a result of 2025-11-25', [CALL], [{ id: 1, result: { content: [{ type: 'text', text: 'x' }] } }]],
    ['a result of 2026-07-28', [MODERN_CALL], [{ id: 1, result: complete }]],
    ['an empty result', [{ id: 1, method: 'ping' }], [{ id: 1, result: {} }]],
    ['an error', [CALL], [{ id: 1, error: { code: -32602, message: 'x' } }]],
    ['an error about a line that could not be read', [], [{ error: { code: -32700, message: 'x' } }]],
    ['a question', [INITIALIZE], [INITIALIZED, { id: 7, ...ASK }]],
    [
      'open questions',
      [MODERN_CALL],
      [{ id: 1, result: { resultType: 'input_required', inputRequests: { who: ASK }, requestState: 's' } }],
    ],
    [
      'a session after server/discover',
      [{ id: 2, method: 'server/discover', params: META }, INITIALIZE, CALL],
      [
        { id: 2, error: { code: -32603, message: 'x' } },
        INITIALIZED,
        { id: 1, result: { content: [] } },
        { id: 7, ...ASK },
      ],
    ],
    [
      'a fraction as a default',
      [INITIALIZE],
      [
        INITIALIZED,
        {
          id: 7,
          ...ASK,
          params: {
            message: 'x',
            requestedSchema: { type: 'object', properties: { n: { type: 'number', default: 0.5 } } },
          },
        },
      ],
    ],
  ])('%s', (_, requests, answers) => {
    expect(faultsOf(requests, answers)).toBe('');
  });
});

describe('what a server writes is invalid', () => {
  it.each<[string, object[], (object | string)[], RegExp]>([
    ['a line that is not JSON', [], ['Hello'], /not a JSON object: Hello/],
    ['a batch', [], ['[]'], /not a JSON object/],
    [
      'a result without content',
      [CALL],
      [{ id: 1, result: {} }],
      /CallToolResult must have required property 'content'/,
    ],
    ['a block of no kind', [CALL], [{ id: 1, result: { content: [{ type: 'smell' }] } }], /CallToolResult\/content\/0/],
    [
      'bytes that are not base64',
      [CALL],
      [{ id: 1, result: { content: [{ type: 'image', data: '#', mimeType: 'a/b' }] } }],
      /"byte"/,
    ],
    [
      'a result of 2025-11-25 for a request of 2026-07-28',
      [MODERN_CALL],
      [{ id: 1, result: { content: [] } }],
      /'resultType'/,
    ],
    [
      'a second answer',
      [CALL],
      [
        { id: 1, result: { content: [] } },
        { id: 1, result: { content: [] } },
      ],
      /no open request/,
    ],
    ['an answer to nothing', [], [{ id: 1, result: {} }], /no open request/],
    ['an error without a code', [CALL], [{ id: 1, error: { message: 'x' } }], /'code'/],
    ['−32021 that names nothing', [MODERN_CALL], [{ id: 1, error: { code: -32021, message: 'x' } }], /'data'/],
    [
      'a notification that lacks a member',
      [INITIALIZE],
      [INITIALIZED, { method: 'notifications/progress', params: { progress: 1 } }],
      /'progressToken'/,
    ],
    [
      'a method of no one',
      [INITIALIZE],
      [INITIALIZED, { id: 7, method: 'tools/call', params: { name: 'x' } }],
      /may not send tools\/call with 2025-11-25/,
    ],
    ['a request in 2026-07-28', [MODERN_CALL], [{ id: 7, ...ASK }], /may not send elicitation\/create with 2026-07-28/],
    [
      'open questions in 2025-11-25',
      [CALL],
      [{ id: 1, result: { resultType: 'input_required' } }],
      /has no InputRequiredResult/,
    ],
    [
      'another jsonrpc',
      [CALL],
      ['{"jsonrpc":"1.0","id":1,"result":{"content":[]}}'],
      /jsonrpc must be equal to constant/,
    ],
  ])('%s', (_, requests, answers, fault) => {
    expect(faultsOf(requests, answers)).toMatch(fault);
  });
});
