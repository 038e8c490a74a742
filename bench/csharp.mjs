// A C# tool through Mortise beside its host called directly, in turns: a warm call, and where the time of the first one goes.
//   node bench/csharp.mjs [--rounds <n>] [--calls <n>]
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connect } from './client/index.mjs';
import { stopAll } from './client/process.mjs';
import { SESSIONS, STATELESS } from './client/protocol.mjs';
import { median } from './stats.mjs';
import { createWorkplace } from './workplace.mjs';

/** What a warm call may take beyond the tool's own time, which is none, in microseconds. */
const WARM_US = 1000;
/** What the first call may take, the start of .NET included, in milliseconds. */
const FIRST_MS = 1500;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '10' }, calls: { type: 'string', default: '500' } },
});
const ROUNDS = Number(values.rounds);
const CALLS = Number(values.calls);
const ECHO = { name: 'kit_echo', arguments: { text: 'The quick brown fox', count: 3 } };
const HOST = fileURLToPath(new URL('../packages/server/plugin-host/', import.meta.url));

const workplace = createWorkplace();
try {
  const plugins = build();
  const lines = [];
  for (const version of [SESSIONS, STATELESS]) lines.push(...(await warmCalls(plugins, version)));
  lines.push(...(await firstCalls(plugins)));
  console.log(['| | direct | Mortise | ratio | more | at most |', '|---|---|---|---|---|---|', ...lines].join('\n'));
} finally {
  await stopAll();
  workplace.remove();
}

/** The folder of a plugins folder with the plugin in it. */
function build() {
  execFileSync(process.execPath, [
    fileURLToPath(new URL('../scripts/build-plugin-host.mjs', import.meta.url)),
    '--required',
  ]);
  const source = workplace.folder();
  cpSync(fileURLToPath(new URL('../test/csharp-plugins/', import.meta.url)), source, { recursive: true });
  const plugins = workplace.folder();
  mkdirSync(join(plugins, 'Kit'));
  const output = ['--output', join(plugins, 'Kit'), '--configuration', 'Release', `-p:PluginHost=${HOST}`];
  execFileSync('dotnet', ['build', join(source, 'Kit'), ...output], { stdio: ['ignore', 'ignore', 'inherit'] });
  return plugins;
}

function direct(plugins) {
  const args = ['exec', join(HOST, 'Mortise.PluginHost.dll'), join(plugins, 'Kit/Kit.dll')];
  return { file: 'dotnet', args, env: { ...process.env, ...workplace.env } };
}

function mortise(plugins) {
  return workplace.mortise({ Plugins: { Directory: plugins } });
}

async function echo(client) {
  const { message, ms } = await client.request('tools/call', ECHO);
  if (!message.result?.content?.[0]?.text.includes('quick')) throw new Error(JSON.stringify(message));
  return ms;
}

async function warmCalls(plugins, version) {
  const clients = [await connect(direct(plugins), { version }), await connect(mortise(plugins), { version })];
  const rounds = [];
  for (let round = -3; round < ROUNDS; round++) {
    const [own, ours] = [await echoes(clients[0]), await echoes(clients[1])];
    if (round >= 0) rounds.push({ own, ours, more: ours - own });
  }
  for (const client of clients) await client.stop();
  return [row(`warm call, median, ${version}`, rounds, 'µs', { atMost: WARM_US })];
}

/** The median of so many calls one after the other, in microseconds. */
async function echoes(client) {
  const times = [];
  for (let call = 0; call < CALLS; call++) times.push((await echo(client)) * 1000);
  return median(times);
}

/**
 * From the start of the process: until MCP is open, until the tools are listed, until the first call is answered. Mortise knows
 * the list from its start before, and starts the plugin's process with the first call.
 */
async function firstCalls(plugins) {
  const command = mortise(plugins);
  await split(command);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ own: await split(direct(plugins)), ours: await split(command) });
  const of = (part) =>
    rounds.map(({ own, ours }) => ({ own: own[part], ours: ours[part], more: ours[part] - own[part] }));
  return [
    row('from the start to the open session', of('openMs'), 'ms'),
    row('then to the first list', of('listMs'), 'ms'),
    row('then to the end of the first call', of('callMs'), 'ms', { atMost: FIRST_MS, isWhole: true }),
    row('then to the end of the second', of('secondMs'), 'ms'),
  ];
}

async function split(command) {
  const startedAt = performance.now();
  const client = await connect(command, { version: SESSIONS });
  const openMs = performance.now() - startedAt;
  const { ms: listMs } = await client.request('tools/list');
  const callMs = await echo(client);
  const secondMs = await echo(client);
  await client.stop();
  return { openMs, listMs, callMs, secondMs };
}

/** `isWhole`: the bound is for the time itself, else for what it is more. */
function row(title, rounds, unit, { atMost, isWhole } = {}) {
  const [own, ours, more] = ['own', 'ours', 'more'].map((key) => median(rounds.map((round) => round[key])));
  const format = (value) => `${value.toFixed(unit === 'ms' ? 1 : 0)} ${unit}`;
  const judged = isWhole ? ours : more;
  const bound = atMost === undefined ? '' : `${format(atMost)}${judged > atMost ? ' **missed**' : ''}`;
  return `| ${title} | ${format(own)} | ${format(ours)} | ${(ours / own).toFixed(2)} | ${format(more)} | ${bound} |`;
}
