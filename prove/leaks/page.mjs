import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess } from '../../bench/client/process.mjs';
import { paramsFor, STATELESS } from '../../bench/client/protocol.mjs';
import { MORTISE } from '../../bench/workplace.mjs';
import { stringsOf } from './strings.mjs';

const ASSETS = new URL('../../packages/server/workbench/assets/', import.meta.url);
const PAGE_REDACTOR = new URL('page-redactor.mjs', import.meta.url).pathname;

/** A plugin with a tool for each text: its description and its result have it, and its progress and its log. */
const SHOWN = `
module.exports.register = (api) => {
  for (const [name, text] of TEXTS) api.registerTool({
    name, description: text, inputSchema: { type: 'object' },
    run(_, { progress, logger }) { progress.report(50, text); logger.info(text); return text; },
  });
};`;
/** A plugin with a tool for each text, which has the secret in its name if a name can have it, and the text as the code of its error. */
const LABELLED = `
module.exports.register = (api) => {
  for (const [name, code] of TEXTS) api.registerTool({
    name, description: 'd', inputSchema: { type: 'object' }, run() { throw Object.assign(new Error('failed'), { code }); },
  });
};`;

/** What can be in the name of a tool. A longer name is shortened. */
const NAME = /^[\w-]{1,48}$/;
const labelled = ({ mark, input, text }) => [NAME.test(input) ? `${mark}-${input}` : mark, text];

/**
 * The server of `mortise workbench`, and what it answers to the page: the page shows nothing else, and stores what its own
 * redactor leaves.
 */
export async function openPage({ workplace, output }) {
  const root = join(workplace, 'page');
  const plugins = join(root, 'plugins');
  mkdirSync(plugins, { recursive: true });
  const config = join(root, 'appsettings.json');
  const settings = {
    Plugins: { Directory: plugins },
    Dotnet: { Enabled: false },
    Telemetry: { Metrics: true, MetricsPort: 0 },
  };
  writeFileSync(config, JSON.stringify(settings));
  const args = [MORTISE, 'workbench', '--no-open', '--port', '0', '--config', config];
  const server = startProcess({ args, env: { PATH: process.env.PATH, HOME: root, XDG_CONFIG_HOME: root }, cwd: root });
  let stdout = '';
  server.child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  const metricsUrl = await server.seen(/http:\/\/[^\s"]+\/metrics/);
  const url = await server.seen(/http:\/\/[^\s"]+\/mcp/);
  while (!stdout.includes('\n')) await Promise.race([new Promise((resolve) => setTimeout(resolve, 10)), server.ended]);
  // The page adds a secret of its own to the token.
  const key = `${/#token=(\S+)/.exec(stdout)[1]}.${randomUUID()}`;

  /** As the page sends it. Gives all strings of all messages of the answer. */
  async function request(method, params = {}) {
    const { _meta, ...rest } = paramsFor(STATELESS, params);
    const meta = { ..._meta, progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' };
    const name = params.name ?? params.uri;
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
      // Nothing is read while the redactor of the page runs, so that a connection could have been closed by the server.
      connection: 'close',
      'mcp-protocol-version': STATELESS,
      'mcp-method': method,
      ...(name && { 'mcp-name': name }),
    };
    const message = { jsonrpc: '2.0', id: 1, method, params: { ...rest, _meta: meta } };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
    const text = await response.text();
    if (!response.headers.get('content-type').startsWith('text/event-stream')) return strings(text);
    const data = text.split('\n').filter((line) => /^data: ?./.test(line));
    return data.map((line) => strings(line.slice('data:'.length))).join('\n');
  }

  async function loadPlugins(files) {
    for (const file of readdirSync(plugins)) rmSync(join(plugins, file));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(plugins, `${name}.cjs`), text);
    output['page reload'] += await request('tools/call', { name: 'builtin_operate', arguments: { action: 'Reload' } });
  }

  return {
    /** The texts are in problems, in the list of tools, in the results, progress and log of calls, and in the history. */
    async show(cases) {
      const broken = cases.map(({ mark, text }) => [mark, `throw new Error(${JSON.stringify(text)});`]);
      const shown = cases.map(({ mark, text }) => [`t-${mark}`, text]);
      await loadPlugins({ ...Object.fromEntries(broken), shown: SHOWN.replace('TEXTS', JSON.stringify(shown)) });
      output['page problems'] += await request('resources/read', { uri: 'mortise://plugins' });
      output['page lists'] += await request('tools/list');
      for (const [name] of shown) output['page calls'] += await request('tools/call', { name, arguments: {} });
      output['page history'] += redactedByPage(cases);
    },
    async label(cases) {
      const tools = cases.map(labelled);
      await loadPlugins({ labelled: LABELLED.replace('TEXTS', JSON.stringify(tools)) });
      for (const [name] of tools) output['page calls'] += await request('tools/call', { name, arguments: {} });
      output.metrics += await (await fetch(metricsUrl)).text();
    },
    close: () => server.stop(),
  };
}

const strings = (text) => `${stringsOf(JSON.parse(text))}\n`;

/** The texts as the page keeps them in the browser, by the module that the browser loads. */
function redactedByPage(cases) {
  const module = readdirSync(ASSETS).find((name) => /^redactor-.*\.js$/.test(name));
  const texts = cases.map(({ text }) => ({ args: { text }, summary: text }));
  const args = [PAGE_REDACTOR, new URL(module, ASSETS).href];
  const { stdout } = spawnSync(process.execPath, args, { input: JSON.stringify(texts), maxBuffer: 2 ** 27 });
  return strings(`${stdout}`);
}
