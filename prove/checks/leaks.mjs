import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { MORTISE } from '../../bench/workplace.mjs';
import { PLUGIN } from '../leaks/plugin.mjs';
import { createSecrets } from '../leaks/secrets.mjs';
import { SHAPES, shaped } from '../leaks/shapes.mjs';
import { createRandom } from '../random.mjs';

const SHAPE_NAMES = Object.keys(SHAPES);
const BATCH = 100;
const SHORT_CASES = 400;
/** Preloaded by the control: the log writes the first text of the file as it is. */
const FORGED_LOG = new URL('../faults/leaked-text.mjs', import.meta.url).href;

const byTool = (name) => (client, at) => client.callTool({ name, arguments: { at } }, { onprogress: () => {} });

/** How a text leaves the server. */
const EXITS = {
  ...Object.fromEntries(['text', 'data', 'key', 'failed', 'error', 'cause'].map((name) => [name, byTool(name)])),
  ...Object.fromEntries(['progress', 'log', 'log_field', 'question'].map((name) => [name, byTool(name)])),
  resource: (client, at) => client.readResource({ uri: `leaky://${at}` }),
  prompt: (client, at) => client.getPrompt({ name: 'prompt', arguments: { at: `${at}` } }),
  completion: (client, at) =>
    client.complete({ ref: { type: 'ref/prompt', name: 'prompt' }, argument: { name: 'at', value: `${at}` } }),
  audit: (client, _, text) => client.callTool({ name: 'argument', arguments: { text } }),
  'unknown tool': (client, _, text) => client.callTool({ name: text }),
  command: undefined,
};
const EXIT_NAMES = Object.keys(EXITS);

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

  /** A field of the log has a secret that was not redacted. */
  async control(context) {
    const server = await openServer(context, [`--import=${FORGED_LOG}`]);
    try {
      const { cases } = await casesOf({ ...context, isShort: true });
      return (await leaksOf(server, cases.slice(0, 1), context.seed)).length > 0;
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
      const written = shaped(random.pick(some), shape, random);
      kinds.add(kind);
      if (written !== undefined) cases.push({ kind, shape, exit, ...written });
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
  let output = '';
  const take = (text) => {
    output += `${text}\n`;
  };
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
  transport.stderr.setEncoding('utf8').on('data', take);
  await client.connect(transport);
  // Everything that the server sends, whatever it is: a text is looked for as it is and as JSON has it.
  const { onmessage } = transport;
  transport.onmessage = (message, ...more) => {
    take(stringsOf(message));
    onmessage(message, ...more);
  };
  let auditChars = 0;
  return {
    client,
    write: (cases) => writeFileSync(texts, JSON.stringify(cases.map(({ text }) => text))),
    command: () => {
      const args = [MORTISE, 'call', 'all', '--config', config];
      take(execFileSync(process.execPath, args, { env, cwd: workplace, encoding: 'utf8', maxBuffer: 2 ** 27 }));
    },
    /** What came out since the last time. */
    taken() {
      const lines = readFileSync(audit, 'utf8');
      const taken = output + unquoted(lines.slice(auditChars));
      auditChars = lines.length;
      output = '';
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

/** Lets the texts out, and gives those whose secret is seen. */
async function leaksOf(server, cases, seed) {
  server.write(cases);
  for (const [at, { exit, text }] of cases.entries()) await EXITS[exit]?.(server.client, at, text).catch(() => {});
  const commanded = cases.filter(({ exit }) => exit === 'command');
  if (commanded.length > 0) {
    server.write(commanded);
    server.command();
  }
  const output = server.taken();
  return cases.flatMap(({ kind, shape, exit, text, forms }) => {
    const seen = forms.find((form) => output.includes(form));
    return seen === undefined
      ? []
      : [`seed ${seed}: ${kind}, ${shape}, ${exit}: ${JSON.stringify(seen)} of ${JSON.stringify(text.slice(-300))}`];
  });
}
