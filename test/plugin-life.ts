import type { Stream } from 'node:stream';
import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { connect, type Version } from './support/clients.js';
import { progressOf } from './support/observe.js';
import { createWorkplace, type Finished, type Workplace } from './support/workplace.js';

const PLUGIN = `const fs = require('node:fs');
const { join } = require('node:path');
let running = 0, most = 0;
module.exports.register = (api) => {
  const note = (name, text) => fs.appendFileSync(join(api.getPluginsDir(), '..', name), text + '\\n');
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  api.onDispose(() => note('disposed', String(process.pid)));
  const tool = (name, run, more = {}) =>
    api.registerTool({ name, description: name, inputSchema: { type: 'object' }, run, ...more });
  tool('pid', () => String(process.pid));
  tool('grow-later', () => {
    const held = [];
    setInterval(() => held.push(Buffer.alloc(8 << 20, 1)), 20);
    return 'growing';
  });
  tool('wait', async ({ ms }) => { await wait(ms); return String(process.pid); });
  tool('crash', () => { console.error('last words'); process.exit(7); });
  tool('deaf', () => new Promise(() => {}), { timeoutMs: 300 });
  tool('loop', () => { note('looping', 'yes'); for (;;); }, { timeoutMs: 300 });
  tool('hold', async () => {
    most = Math.max(most, ++running);
    note('holding', String(running));
    while (!fs.existsSync(join(api.getPluginsDir(), '..', 'release'))) await wait(10);
    running -= 1;
    return String(most);
  });
  tool('shout', async (_, { progress, logger }) => {
    const words = 'x'.repeat(34e6);
    Promise.reject(new Error(words));
    logger.info(words);
    progress.report(10, words);
    await wait(100);
    return String(process.pid);
  });
  tool('late', async ({ ms, bytes }) => { await wait(ms); return 'x'.repeat(bytes); }, { timeoutMs: 300 });
  tool('listen', async (_, { signal }) => {
    note('listening', 'yes');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    note('heard', signal.reason.name);
  });
  tool('report', async (_, { progress }) => {
    for (const percent of [NaN, -5, 10, 'x', 50, Infinity]) progress.report(percent, 'at ' + percent);
    // The official client ignores reports that come in one piece with the response.
    await wait(100);
    return {
      content: [
        { type: 'image', data: Buffer.from([0, 255, 10, 13]), mimeType: 'image/png' },
        { type: 'text', text: '\\ud83d\\ude00 \\u2028 \\ud800' },
      ],
      metadata: { __proto__: null, negative: -0, big: 2 ** 53, nothing: null, ['__proto__']: { own: true } },
    };
  });
  tool('ask', async (_, { input }) => {
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const { action, content } = await input.elicit('who', { message: 'Who? password=Hunter2Hunter2', schema });
    return action + ' ' + content.name;
  });
};`;

export const makePluginWorkplace = (plugins: object = {}, finished?: Finished) =>
  createWorkplace({ 'plugins/life.cjs': PLUGIN }, { Plugins: { Directory: 'plugins', ...plugins } }, finished);
export const open = (workplace: Workplace, finished?: Finished) =>
  connect(workplace, { transport: 'stdio', version: '2025-11-25' }, {}, undefined, [], finished);

/** After crashes a plugin has the lowest priority: beside much other work it takes minutes to start. */
const CALL_MS = 300_000;

interface Called {
  text: string;
  code: string | undefined;
}

export async function call(client: Client, name: string, args: object = {}, signal?: AbortSignal): Promise<Called> {
  const result = await client.callTool(
    { name, arguments: { ...args } },
    { ...(signal && { signal }), timeout: CALL_MS },
  );
  const text = (result.content as { text?: string }[]).map((block) => block.text ?? '').join('\n');
  const { errors } = (result.structuredContent ?? {}) as { errors?: { code: string }[] };
  return { text, code: errors?.[0]?.code };
}

export function record(stream: Stream): () => string {
  let text = '';
  stream.on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
}

export async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const startedAt = performance.now();
  return [await work, performance.now() - startedAt];
}

/** What goes both ways during a call of a client of this version. */
export async function passOn(version: Version): Promise<void> {
  const capabilities = { elicitation: { form: {} } };
  const questions: string[] = [];
  const client = await connect(makePluginWorkplace(), { transport: 'stdio', version }, { capabilities }, (item) => {
    item.setRequestHandler('elicitation/create', async ({ params }) => {
      questions.push(params.message);
      return { action: 'accept', content: { name: 'Ada' } };
    });
  });
  expect((await call(client, 'ask')).text).toBe('accept Ada');
  expect(questions).toEqual(['Who? password=[REDACTED]']);

  const progress = progressOf(client);
  const result = await client.callTool({ name: 'report', arguments: {} }, { onprogress() {} });
  expect(progress).toMatchObject([
    { progress: 0, total: 100, message: 'at -5' },
    { progress: 10, message: 'at 10' },
    { progress: 50, message: 'at 50' },
    { progress: 100, message: 'at Infinity' },
  ]);
  expect(result.content).toEqual([
    { type: 'image', data: 'AP8KDQ==', mimeType: 'image/png' },
    { type: 'text', text: '\ud83d\ude00 \u2028 \ud800' },
  ]);
  expect(JSON.stringify(result.structuredContent)).toContain(
    '"metadata":{"negative":0,"big":9007199254740992,"nothing":null,"__proto__":{"own":true}}',
  );
}
