import { existsSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { encodeHeader } from '@mortise/mcp';
import { expect, it } from 'vitest';
import { shared, startHttp } from '../support/clients.js';
import { requestMeta } from '../support/raw-stdio.js';
import { createWorkplace, ROOT } from '../support/workplace.js';
import { AMBIGUOUS_MESSAGES, type AmbiguousMessage } from './ambiguous-messages.js';

const server = shared(async (finished) => {
  const workplace = createWorkplace({}, {}, finished);
  const log = join(workplace.folder, 'received.jsonl');
  const args = [join(ROOT, 'test/security/fixtures/keeps-lines.mjs'), log];
  const settings = {
    Profiles: { reader: { Actions: { mcp_m_act: ['read'] } } },
    Plugins: { McpServers: { m: { command: process.execPath, args } } },
  };
  workplace.write('appsettings.json', JSON.stringify(settings));
  const { url } = await startHttp(workplace, ['--profile', 'reader'], finished);
  return { url, log };
});

/** Sends the message exactly as it is written. */
async function send({ args, name = '"keep"', meta = '', params = '', message = '', headers }: AmbiguousMessage) {
  const label = name.replace('"', '"mcp_m_');
  const _meta = JSON.stringify(requestMeta({})).replace(/\}$/, `${meta}}`);
  const body =
    `{"jsonrpc":"2.0","id":1,"method":"tools/call",` +
    `"params":{"name":${label},"arguments":${args},"_meta":${_meta}${params}}${message}}`;
  const sent = request(server().url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': encodeHeader(JSON.parse(label)),
      ...headers,
    },
  });
  const answer = new Promise<string>((resolve, reject) => {
    sent.on('response', (response) => resolve(text(response)));
    sent.on('error', reject);
  });
  sent.end(body);
  return { params: JSON.parse(body).params, answer: await answer };
}

/** The parameters of the calls that arrived since the last time. */
function arrived() {
  const { log } = server();
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  rmSync(log);
  return lines.map((line) => JSON.parse(line).params);
}

/** Texts are compared, because an assertion about values does not tell every name and number apart. */
const comparable = ({ name, arguments: args, _meta }: { name: string; arguments: object; _meta?: object }) =>
  JSON.stringify([name, args, Object.entries(_meta ?? {}).filter(([key]) => key.startsWith('com.example/'))]);

it('at least 200 messages are sent', () => {
  expect(AMBIGUOUS_MESSAGES.length).toBeGreaterThanOrEqual(200);
});

it.each(AMBIGUOUS_MESSAGES)('a mounted server gets what was checked, or nothing: $title', async (message) => {
  const { params, answer } = await send(message);
  if (message.refused) {
    expect(answer).toMatch(message.refused);
    expect(arrived()).toEqual([]);
  } else {
    const expected = comparable({ ...params, name: params.name.replace('mcp_m_', '') });
    expect(arrived().map(comparable), answer).toEqual([expected]);
  }
});
