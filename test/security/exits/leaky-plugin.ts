/** A plugin whose tools say in each way what is in a file of rows; CommonJS, with the path of the file for ROWS. */
export const LEAKY_PLUGIN = `
const { readFileSync } = require('node:fs');
const rows = JSON.parse(readFileSync(ROWS, 'utf8'));
const texts = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)));
const asBlocks = (some) => some.map((text) => ({ type: 'text', text }));
const { fail } = require('@mortise/plugin');
module.exports.register = (api) => {
  const tool = (name, run, more = {}) =>
    api.registerTool({ name, description: 'd', inputSchema: { type: 'object' }, ...more, run });
  tool('blocks', () => ({ content: asBlocks(texts) }));
  tool('structured', () => ({ content: [], structuredContent: { rows } }));
  tool('json', () => ({ rows }));
  tool('failed', () => ({ content: asBlocks(texts), isError: true }));
  tool('errors', () => fail('several', { errors: texts.map((text) => ({
    code: 'X', message: text, hint: text, category: 'Tool', rawOutput: text, explanation: text,
    suggestedFixes: [text], alternatives: [text], data: { exitCode: 1, command: text, stderr: text, additionalData: { text, providedValue: text } },
  })), output: texts.join('\\n'), metadata: { texts } }));
  tool('thrown', ({ at }) => { throw new Error(texts[at]); });
  tool('thrown_value', ({ at }) => { throw rows[at]; });
  tool('progress', ({ at }, { progress }) => { progress.report(50, texts[at]); return 'ok'; });
  tool('log', ({ from, to }, { logger }) => {
    for (let at = from; at < to; at++) logger.info(texts[at], { row: rows[at] });
    return 'ok';
  });
  tool('print', ({ from, to }) => {
    // A value whose name is on a later line cannot be known when its own line goes out.
    for (let at = from; at < to; at++) if (!/[\\r\\n]/.test(texts[at])) (at % 2 ? console.log : console.error)(texts[at]);
    return 'ok';
  });
  tool('lines_printed', ({ lines, to }) => { for (const line of lines) console[to](line); return 'ok'; });
  tool('lines_logged', ({ lines }, { logger }) => { for (const line of lines) logger.info(line); return 'ok'; });
  tool('lines_in_fields', ({ lines }, { logger }) => { for (const line of lines) logger.info('a line', { line }); return 'ok'; });
  tool('lines_reported', ({ lines }, { progress }) => { lines.forEach((line, at) => progress.report(at, line)); return 'ok'; });
  tool('lines_as_blocks', ({ lines }) => ({ content: asBlocks(lines) }));
  tool('lines_as_list', ({ lines }) => ({ content: [], structuredContent: { lines, entries: lines.map((text, at) => ({ at, text })) } }));
  tool('lines_thrown', ({ lines }) => { throw new Error(lines.join('\\n')); });
  tool('lines_before_crash', ({ lines, to }) => { for (const line of lines) console[to](line); process.exit(3); });
  tool('strict', () => 'ok', { inputSchema: {
    type: 'object', additionalProperties: false,
    properties: { choice: { enum: ['a', 'b'] }, action: { type: 'string', enum: ['Go'] }, text: { type: 'string', maxLength: 1 } },
  } });
  api.registerResource({ uri: 'leaky://all', name: 'all', read: () => texts.join('\\n\\n') });
  api.registerResource({ uri: 'leaky://lines', name: 'lines', read: () => texts[0] });
  api.registerPrompt({ name: 'completed', description: 'd', arguments: [{ name: 'x', complete: () => texts.slice(0, 100) }], get: () => 'ok' });
  api.registerPrompt({ name: 'all', description: 'd', arguments: [], get: () => ({
    description: texts[0], messages: texts.map((text) => ({ role: 'user', content: { type: 'text', text } })) }) });
};
`;

/** A plugin whose definitions and problems say what is in the file. */
export const LISTED_PLUGIN = `
const { readFileSync } = require('node:fs');
const rows = JSON.parse(readFileSync(ROWS, 'utf8'));
const texts = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)));
module.exports.register = (api) => {
  texts.forEach((text, at) => {
    const property = { type: 'string', description: text, default: text, examples: [text], enum: [text, 'other'] };
    if (at % 10 === 0)
      api.registerTool({ name: 'listed_' + at, title: text.slice(0, 60) === text ? text : 'title', description: text,
        inputSchema: { type: 'object', properties: Object.fromEntries(texts.slice(at, at + 10).map((_, n) => ['p' + n, { ...property, description: texts[at + n], default: texts[at + n] }])) },
        run: () => 'ok' });
    if (at % 25 === 0) {
      try { api.registerTool({ name: '! ' + text, description: 'd', inputSchema: { type: 'object' }, run: () => 'ok' }); } catch {}
      try { api.registerTool({ name: 'bad_' + at, description: 'd', inputSchema: { type: text }, run: () => 'ok' }); } catch {}
      try { api.registerResource({ uri: 'listed://' + at, name: text, description: text, read: () => 'ok' }); } catch {}
    }
  });
};
`;

/** An MCP server over stdio without a library: it prints, logs, and answers with what is in the file that its argument names. */
export const LEAKY_SERVER = `
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const rows = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const texts = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)));
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const tool = (name, description) => ({ name, description, inputSchema: { type: 'object' } });
const CALLS = {
  blocks: () => ({ content: texts.map((text) => ({ type: 'text', text })), structuredContent: { rows } }),
  failed: () => ({ content: texts.map((text) => ({ type: 'text', text })), isError: true }),
  lines_notified: ({ lines }) => {
    for (const data of lines) send({ method: 'notifications/message', params: { level: 'info', data } });
    return { content: [] };
  },
  lines_printed: ({ lines }) => { for (const line of lines) console.error(line); return { content: [] }; },
  lines_before_crash: ({ lines }) => { for (const line of lines) console.error(line); process.exit(4); },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize')
    return send({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {}, logging: {} }, serverInfo: { name: 'leaky', version: '1' } } });
  if (method === 'tools/list')
    return send({ id, result: { tools: [tool('rejected', texts[0]), ...Object.keys(CALLS).map((name, at) => tool(name, texts[at]))] } });
  if (method !== 'tools/call') return send({ id, error: { code: -32601, message: 'Method not found' } });
  const run = CALLS[params.name];
  if (!run) return send({ id, error: { code: -32000, message: texts[params.arguments.at], data: { row: rows[params.arguments.at] } } });
  send({ id, result: run(params.arguments ?? {}) });
});
`;
