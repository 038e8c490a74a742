import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { MORTISE } from '../../bench/workplace.mjs';
import { PLUGIN } from '../leaks/plugin.mjs';
import { createSecrets } from '../leaks/secrets.mjs';
import { CUT, SHAPES, shaped } from '../leaks/shapes.mjs';
import { createRandom } from '../random.mjs';

const SHAPE_NAMES = Object.keys(SHAPES);
const BATCH = 100;
const SHORT_CASES = 400;
const SEEN_MS = 5_000;
const NOT_SEEN = 'nothing came out';
/** Preloaded by the control: the log writes the first text of the file as it is. */
const FORGED_LOG = new URL('../faults/leaked-text.mjs', import.meta.url).href;

const byTool = (name) => (client, at) => client.callTool({ name, arguments: { at } }, { onprogress: () => {} });

/**
 * How a text leaves the server: the call, and where the text is seen then. An exit that `isWhole` leaves out what is too long
 * for it, and cuts nothing.
 */
const EXITS = {
  ...Object.fromEntries(
    ['text', 'data', 'key', 'failed', 'error', 'cause', 'question'].map((name) => [
      name,
      { call: byTool(name), source: 'messages' },
    ]),
  ),
  progress: { call: byTool('progress'), source: 'messages', isWhole: true },
  log: { call: byTool('log'), source: 'stderr', isWhole: true },
  log_field: { call: byTool('log_field'), source: 'stderr', isWhole: true },
  'stored output': { call: readStoredOutput, source: 'messages' },
  resource: { call: (client, at) => client.readResource({ uri: `leaky://${at}` }), source: 'messages' },
  prompt: {
    call: (client, at) => client.getPrompt({ name: 'prompt', arguments: { at: `${at}` } }),
    source: 'messages',
  },
  completion: {
    call: (client, at) =>
      client.complete({ ref: { type: 'ref/prompt', name: 'prompt' }, argument: { name: 'at', value: `${at}` } }),
    source: 'messages',
  },
  audit: {
    call: (client, _, text) => client.callTool({ name: 'argument', arguments: { text } }),
    source: 'audit',
    isWhole: true,
  },
  'unknown tool': { call: (client, _, text) => client.callTool({ name: text }), source: 'messages' },
  command: { source: 'command' },
};
const EXIT_NAMES = Object.keys(EXITS);

/** A result that is too long is stored as a whole, and can be read as a resource. */
async function readStoredOutput(client, at) {
  const result = await client.callTool({ name: 'long', arguments: { at } });
  const [uri] = /mortise:\/\/outputs\/\w+/.exec(JSON.stringify(result));
  await client.readResource({ uri });
}

/** Secrets of every kind leave by every exit in every shape: all pairs of the three. */
export const leaks = {
  name: 'leaks',

  async run(context) {
    const server = await openServer(context);
    try {
      const { cases, kinds } = await casesOf(context);
      const failures = [];
      for (let from = 0; from < cases.length && !context.signal?.aborted; from += BATCH)
        failures.push(...(await leaksOf(server, cases.slice(from, from + BATCH), context.seed)));
      const notes = [`${kinds} kinds of secrets, ${EXIT_NAMES.length} exits, ${SHAPE_NAMES.length} shapes`];
      return { tried: cases.length, failures, notes };
    } finally {
      await server.close();
    }
  },

  /** A field of the log has a secret that was not redacted, and texts that the plugin does not find do not come out. */
  async control(context) {
    const server = await openServer(context, [`--import=${FORGED_LOG}`]);
    try {
      const { cases } = await casesOf({ ...context, isShort: true });
      const some = cases.filter(({ exit }) => exit === 'text').slice(0, 1);
      const leaked = await leaksOf(server, some, context.seed);
      const unwritten = await leaksOf({ ...server, write: () => {} }, cases.slice(0, 5), context.seed);
      return leaked.some((text) => !text.includes(NOT_SEEN)) && unwritten.some((text) => text.includes(NOT_SEEN));
    } finally {
      await server.close();
    }
  },
};

/**
 * Each kind leaves by each exit, and is written in each shape. The exit of a shape moves on with the kind, so that each shape
 * leaves by each exit as well. Each round has new values.
 */
async function casesOf({ workplace, seed, isShort, random }) {
  const secretsOf = await createSecrets(workplace);
  const cases = [];
  const kinds = new Set();
  for (let round = 0; round < EXIT_NAMES.length; round++) {
    const rows = grouped(await secretsOf(seed + round));
    for (const [index, [kind, some]] of [...rows].entries()) {
      const shape = SHAPE_NAMES[round % SHAPE_NAMES.length];
      const exit = EXIT_NAMES[(round + index) % EXIT_NAMES.length];
      if (shape === CUT && EXITS[exit].isWhole) continue;
      const mark = `begin${cases.length}end`;
      const written = shaped(random.pick(some), shape, { mark, random });
      kinds.add(kind);
      if (written !== undefined) cases.push({ kind, shape, exit, mark, ...written });
    }
  }
  if (!isShort) return { cases, kinds: kinds.size };
  const first = createRandom(seed).integer(Math.max(1, cases.length - SHORT_CASES));
  return { cases: cases.slice(first, first + SHORT_CASES), kinds: kinds.size };
}

function grouped(rows) {
  const groups = new Map();
  for (const row of rows) groups.set(row.kind, [...(groups.get(row.kind) ?? []), row]);
  return groups;
}

/** A server, its client, and all that has come out of it. */
async function openServer({ workplace }, preload = []) {
  const texts = join(workplace, 'texts.json');
  const audit = join(workplace, `audit-${preload.length}.jsonl`);
  const config = join(workplace, `appsettings-${preload.length}.json`);
  mkdirSync(join(workplace, 'plugins'), { recursive: true });
  writeFileSync(texts, '[]');
  writeFileSync(join(workplace, 'plugins/leaky.cjs'), PLUGIN.replaceAll('TEXTS', JSON.stringify(texts)));
  const settings = {
    Plugins: { Directory: join(workplace, 'plugins') },
    Dotnet: { Enabled: false },
    Audit: { File: audit, Arguments: 'redacted' },
  };
  writeFileSync(config, JSON.stringify(settings));
  const env = {
    PATH: process.env.PATH,
    HOME: workplace,
    TMPDIR: workplace,
    XDG_CONFIG_HOME: workplace,
    PROVE_TEXTS: texts,
  };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...preload, MORTISE, 'serve', '--config', config],
    ...{ env, cwd: workplace, stderr: 'pipe' },
  });
  const client = new Client({ name: 'prove', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  let output = { messages: '', stderr: '', command: '' };
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
  transport.stderr.setEncoding('utf8').on('data', (text) => {
    output.stderr += text;
  });
  await client.connect(transport);
  // Everything that the server sends, whatever it is: a text is looked for as it is and as JSON has it.
  const { onmessage } = transport;
  transport.onmessage = (message, ...more) => {
    output.messages += `${stringsOf(message)}\n`;
    onmessage(message, ...more);
  };
  let auditChars = 0;
  return {
    client,
    write: (cases) => writeFileSync(texts, JSON.stringify(cases.map(({ text }) => text))),
    command: () => {
      const args = [MORTISE, 'call', 'all', '--config', config];
      const { stdout, stderr } = spawnSync(process.execPath, args, { env, cwd: workplace, maxBuffer: 2 ** 27 });
      output.command += `${stdout}${stderr}`;
      for (const [, file] of `${stderr}`.matchAll(/The whole output is in (.+)/g))
        output.command += readFileSync(file, 'utf8');
    },
    /** What came out since the last time, by source. */
    taken() {
      const lines = readFileSync(audit, 'utf8');
      const taken = { ...output, audit: unquoted(lines.slice(auditChars)) };
      auditChars = lines.length;
      output = { messages: '', stderr: '', command: '' };
      return taken;
    },
    close: () => client.close(),
  };
}

const unquoted = (lines) =>
  lines
    .split('\n')
    .filter(Boolean)
    .map((line) => stringsOf(JSON.parse(line)))
    .join('\n');

/** All strings and keys of a value. */
function stringsOf(value) {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([key, member]) => `${key}\n${stringsOf(member)}`)
    .join('\n');
}

/** Lets the texts out. Gives those whose secret is seen, and those that are not seen at all: nothing is known of them. */
async function leaksOf(server, cases, seed) {
  server.write(cases);
  for (const [at, { exit, text }] of cases.entries()) await EXITS[exit].call?.(server.client, at, text).catch(() => {});
  const commanded = cases.filter(({ exit }) => exit === 'command');
  // The texts of a result share one limit.
  const isLong = ({ shape }) => shape === CUT;
  for (const some of [
    commanded.filter((tried) => !isLong(tried)),
    ...commanded.filter(isLong).map((tried) => [tried]),
  ]) {
    server.write(some);
    if (some.length > 0) server.command();
  }
  const isSeen = ({ exit, mark }) => output[EXITS[exit].source].includes(mark);
  // The log has a pipe of its own, so that it can come later than the answer.
  let output = server.taken();
  for (const deadline = performance.now() + SEEN_MS; !cases.every(isSeen) && performance.now() < deadline; ) {
    await sleep(20);
    const more = server.taken();
    output = Object.fromEntries(Object.entries(output).map(([source, text]) => [source, text + more[source]]));
  }
  const all = Object.values(output).join('\n');
  return cases.flatMap((tried) => {
    const { kind, shape, exit, text, forms } = tried;
    const where = `--seed ${seed}: ${kind}, ${shape}, ${exit}`;
    const seen = forms.find((form) => all.includes(form));
    if (seen !== undefined) return [`${where}: ${JSON.stringify(seen)} of ${JSON.stringify(text.slice(-300))}`];
    return isSeen(tried) ? [] : [`${where}: ${NOT_SEEN}: ${JSON.stringify(text.slice(-300))}`];
  });
}
