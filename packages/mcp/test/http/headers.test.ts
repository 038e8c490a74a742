import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../test/support/wait-for.js';
import { type HttpWire, META, type Message, withHttp } from './http-wire.js';

const outcomeOf = ({ status, body }: { status: number; body: Message }) => [status, body.error?.code];
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

describe('the headers of 2026-07-28', () => {
  const list =
    (headers: Record<string, string>, params: Message = {}) =>
    (wire: HttpWire) =>
      wire.stateless('tools/list', params, headers);
  const call =
    (headers: Record<string, string>, params: Message = { name: 'echo' }) =>
    (wire: HttpWire) =>
      wire.stateless('tools/call', params, headers);
  const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
  const meta = (changes: Message) => ({ _meta: { ...META, ...changes } });

  test.each<[what: string, (wire: HttpWire) => Promise<{ status: number; body: Message }>, number, number?]>([
    ['all agree', call({}), 200],
    ['no MCP-Protocol-Version', list({ 'mcp-protocol-version': '' }), 400, -32020],
    ['another MCP-Protocol-Version', list({ 'mcp-protocol-version': '2025-11-25' }), 400, -32020],
    ['no Mcp-Method', list({ 'mcp-method': '' }), 400, -32020],
    ['another Mcp-Method', list({ 'mcp-method': 'tools/call' }), 400, -32020],
    ['a method in other letters', list({ 'mcp-method': 'Tools/List' }), 400, -32020],
    ['Mcp-Name where none is needed', list({ 'mcp-name': 'x' }), 200],
    ['no Mcp-Name', call({ 'mcp-name': '' }), 400, -32020],
    ['another Mcp-Name', call({ 'mcp-name': 'later' }), 400, -32020],
    ['Mcp-Name in base64', call({ 'mcp-name': base64('echo') }), 200],
    ['Mcp-Name in base64 that is none', call({ 'mcp-name': '=?base64?*?=' }), 400, -32020],
    ['Mcp-Name in base64 that is not UTF-8', call({ 'mcp-name': '=?base64?/w==?=' }), 400, -32020],
    ['Mcp-Name without a name in the body', call({ 'mcp-name': 'x' }, {}), 200, -32602],
    ['no name at all', call({}, {}), 200, -32602],
    [
      'a version that is not served',
      list({ 'mcp-protocol-version': '2099-01-01' }, meta({ [VERSION]: '2099-01-01' })),
      400,
      -32022,
    ],
    [
      'an old version in _meta',
      list({ 'mcp-protocol-version': '2025-11-25' }, meta({ [VERSION]: '2025-11-25' })),
      400,
      -32022,
    ],
    [
      'a version that is not served, no headers',
      list({ 'mcp-protocol-version': '', 'mcp-method': '' }, meta({ [VERSION]: '2099-01-01' })),
      400,
      -32022,
    ],
    ['a version that is not served, another header', list({}, meta({ [VERSION]: '2099-01-01' })), 400, -32020],
    ['a version that is not a string', list({}, meta({ [VERSION]: 7 })), 400, -32602],
    ['no capabilities', list({}, meta({ [CAPABILITIES]: undefined })), 400, -32602],
    [
      'no capabilities, and another header',
      list({ 'mcp-method': 'x' }, meta({ [CAPABILITIES]: undefined })),
      400,
      -32602,
    ],
    ['no declaration', list({}, { _meta: {} }), 400, -32602],
    ['no declaration, a later version', list({ 'mcp-protocol-version': '2030-01-01' }, { _meta: {} }), 400, -32602],
    ['no declaration, an old version', list({ 'mcp-protocol-version': '2025-11-25' }, { _meta: {} }), 400, -32000],
    ['initialize with the header', (wire) => wire.stateless('initialize', { _meta: {} }), 400, -32020],
    [
      'initialize with a wrong declaration',
      (wire) => wire.stateless('initialize', meta({ [VERSION]: 7 })),
      400,
      -32020,
    ],
    [
      'initialize that declares a version that is not served',
      (wire) =>
        wire.stateless('initialize', meta({ [VERSION]: '2099-01-01' }), { 'mcp-protocol-version': '2099-01-01' }),
      400,
      -32022,
    ],
  ])('%s', (_, ask, status, code) =>
    withHttp({}, async (wire) => {
      const reply = await ask(wire);
      expect(outcomeOf(reply)).toEqual([status, code]);
      expect(reply.body.id).toBe(1);
    }),
  );

  test('are compared with a notification where they are there', () =>
    withHttp({}, async (wire) => {
      const post = async (params: Message, headers: Record<string, string>) => {
        const message = { jsonrpc: '2.0', method: 'notifications/x', params };
        return (await wire.post(message, headers)).status;
      };
      const version = { 'mcp-protocol-version': '2026-07-28' };
      expect(await post({}, version)).toBe(202);
      expect(await post({ _meta: META }, {})).toBe(202);
      expect(await post({}, { ...version, 'mcp-method': 'notifications/y' })).toBe(400);
      expect(await post({ _meta: META }, { 'mcp-protocol-version': '2025-11-25' })).toBe(400);
      expect(await post({ _meta: { [VERSION]: 7 } }, version)).toBe(400);
      expect(await post({}, { 'mcp-protocol-version': '2099-01-01' })).toBe(400);
      expect(await post({ _meta: { [VERSION]: '2099-01-01' } }, {})).toBe(400);
    }));
});

describe('Mcp-Param headers', () => {
  const property = (header: unknown, type = 'string') => ({ type, 'x-mcp-header': header });
  const properties = {
    region: property('Region'),
    options: { type: 'object', properties: { count: property('Count', 'integer') } },
  };
  const schemas: Record<string, unknown> = {
    echo: { type: 'object', properties },
    later: { type: 'object', properties: { text: property('Not a token'), list: property('List', 'array') } },
  };
  const toolSchema = (name: string) => schemas[name];

  test.each([
    [{}, {}, 200],
    [{ region: null }, {}, 200],
    [{ region: 'eu' }, { 'mcp-param-region': 'eu' }, 200],
    [{ region: 'zürich' }, { 'mcp-param-region': `=?base64?${Buffer.from('zürich').toString('base64')}?=` }, 200],
    [{ options: { count: 42 } }, { 'mcp-param-count': '42.0' }, 200],
    [{ region: 'eu' }, {}, 400],
    [{ region: 'eu' }, { 'mcp-param-region': 'us' }, 400],
    [{ region: 'eu' }, { 'mcp-param-region': '=?base64?*?=' }, 400],
    [{ options: { count: 42 } }, { 'mcp-param-count': '43' }, 400],
  ])('%j with %j is %i', (args, headers, status) =>
    withHttp({ toolSchema }, async (wire) => {
      const reply = await wire.stateless(
        'tools/call',
        { name: 'echo', arguments: args },
        headers as Record<string, string>,
      );
      expect(outcomeOf(reply)).toEqual([status, status === 400 ? -32020 : undefined]);
    }),
  );

  test('are not asked for where the declaration is not valid, or the tool unknown', () =>
    withHttp({ toolSchema }, async (wire) => {
      expect((await wire.call('later', { text: 'x', list: [] })).status).toBe(200);
      expect((await wire.call('progress', { region: 'eu' })).status).toBe(200);
    }));

  test('may be found out later; who leaves meanwhile is not served', () => {
    const answers: ((schema: unknown) => void)[] = [];
    const later = () => new Promise((resolve) => answers.push(resolve));
    return withHttp({ toolSchema: later }, async (wire) => {
      const call = wire.call('echo', { region: 'eu' });
      (await waitFor(() => answers[0]))(schemas.echo);
      expect((await call).status).toBe(400);
      const leaving = new AbortController();
      const left = wire.call('wait', {}, { signal: leaving.signal });
      const answer = await waitFor(() => answers[1]);
      leaving.abort();
      await expect(left).rejects.toThrow();
      // The server sees what came before this request.
      await wire.stateless('tools/list');
      answer(schemas.echo);
      expect((await wire.stateless('tools/list')).status).toBe(200);
      expect(wire.waiting.size).toBe(0);
    });
  });
});
