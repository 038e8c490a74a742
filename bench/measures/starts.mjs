import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, startToFirstAnswer } from '../client/index.mjs';
import { checkEcho, ECHO, ECHOES, SESSIONS } from '../client/protocol.mjs';
import { writePlugins } from '../many-plugins.mjs';
import { usageOf } from '../processes.mjs';
import { commandOf } from '../servers.mjs';
import { medians } from '../stats.mjs';

const WAY = { version: SESSIONS };
const PLUGINS = 3;
const CALL = { ...ECHO, name: 'echo_0' };
const IN_FLIGHT = 64;
/** By then an idle server has done what it does after its first answer. */
const SETTLED_MS = 2000;

export const starts = {
  name: 'starts',
  table: 'starts',
  meanings: [
    [
      'start, CPU of a start',
      'From the start of the process to the answer to its first `tools/list`, and the processor time of all its threads until then. Mortise serves the .NET tools and three plugins, which it remembers of an earlier start.',
    ],
    [
      'the first call after it',
      'From the first list to the answer to a call of one of these plugins, whose process starts for it.',
    ],
    [
      'idle',
      'Two seconds after the first list: how many processes the server has started, and the proportional set size of all.',
    ],
    ['memory after 20,000 calls', 'Resident memory of the server process after echoes with 64 in flight.'],
  ],
  async run({ workplace, scale }) {
    const commands = await commandsFor(workplace);
    const samples = { bareSdk: [], process: [] };
    for (let round = -scale.starts.unmeasured; round < scale.starts.measured; round++) {
      for (const [name, command] of Object.entries(commands)) {
        const sample = await startOf(command, name);
        if (round >= 0) samples[name].push(sample);
      }
    }
    const results = {};
    for (const [name, command] of Object.entries(commands))
      results[name] = { ...medians(samples[name]), ...(await lifeOf(command, name, scale.callsForMemory)) };
    return { rows: rowsOf(results), targets: targetsOf(results) };
  },
};

async function commandsFor(workplace) {
  const folder = workplace.folder();
  writePlugins(folder, PLUGINS);
  const settings = { Plugins: { Directory: folder }, Dotnet: { Enabled: true } };
  const process = workplace.mortise(settings);
  // It learns and remembers what the plugins provide.
  const { client } = await startToFirstAnswer(process, WAY);
  await delay(SETTLED_MS);
  await client.stop();
  return { bareSdk: await commandOf('bareSdk', workplace, WAY), process };
}

const callOf = (name) => (name === 'process' ? CALL : ECHO);

async function startOf(command, name) {
  const { ms, client } = await startToFirstAnswer(command, WAY);
  const cpuMs = (usageOf(client.pid)?.self.cpuUs ?? Number.NaN) / 1000;
  const called = await client.request('tools/call', callOf(name));
  checkEcho(called);
  await client.stop();
  return { ms, cpuMs, callMs: called.ms };
}

async function lifeOf(command, name, calls) {
  const client = await connect(command, WAY);
  await client.request('tools/list');
  await delay(SETTLED_MS);
  const idle = usageOf(client.pid);
  const pssMb = proportionalMb(client.pid);
  await client.pump({ ...ECHOES, params: callOf(name) }, { calls, inFlight: IN_FLIGHT });
  const rssMb = usageOf(client.pid)?.self.rssMb ?? Number.NaN;
  await client.stop();
  return { pssMb, rssMb, processes: idle?.childCount ?? Number.NaN };
}

/** NaN where the system does not tell. */
function proportionalMb(pid) {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

const ROWS = [
  ['ms', 'start', 'ms'],
  ['cpuMs', 'CPU of a start', 'ms'],
  ['callMs', 'the first call after it', 'ms'],
  ['processes', 'idle: processes that it has started', ''],
  ['pssMb', 'idle: proportional set size', 'MB'],
  ['rssMb', 'memory after 20,000 calls', 'MB'],
];

function rowsOf(results) {
  return ROWS.map(([key, measure, unit]) => ({
    measure,
    way: `stdio ${SESSIONS}`,
    unit,
    values: Object.fromEntries(Object.entries(results).map(([name, result]) => [name, result[key]])),
  }));
}

function targetsOf({ bareSdk, process }) {
  const ratio = (key) => ({ over: 'bareSdk', unit: '×', value: process[key] / bareSdk[key] });
  return [
    { target: 'start', ...ratio('ms'), atMost: 1 },
    { kind: 'Goal', target: 'start', ...ratio('ms'), atMost: 0.8 },
    { target: 'the first call after it', over: 'the list', unit: 'ms more', value: process.callMs, atMost: 120 },
    { target: 'idle: processes besides the server', unit: '', value: process.processes, atMost: 0 },
    { kind: 'Goal', target: 'idle: proportional set size', ...ratio('pssMb'), atMost: 1.1 },
    { target: 'memory after 20,000 calls', ...ratio('rssMb'), atMost: 1 },
  ];
}
