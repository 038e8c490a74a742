import { connect } from '../client/index.mjs';
import { checkEcho, ECHO, ECHOES } from '../client/protocol.mjs';
import { usageOf } from '../processes.mjs';
import { commandOf, serversFor, WAYS } from '../servers.mjs';
import { median, medians, quantile } from '../stats.mjs';

const IN_FLIGHT = 64;

const ROWS = [
  ['p50Us', 'call, p50', 'µs'],
  ['p99Us', 'call, p99', 'µs'],
  ['callsPerSecond', '64 in flight', 'calls/s'],
  ['cpuUs', 'CPU of a call, one at a time', 'µs'],
  ['cpuChildrenUs', '… of its plugin process', 'µs'],
  ['pumpCpuUs', 'CPU of a call, 64 in flight', 'µs'],
  ['pumpCpuChildrenUs', '… of its plugin process', 'µs'],
  ['rssMb', 'memory after', 'MB'],
  ['rssChildrenMb', '… of its other processes', 'MB'],
];

export const calls = {
  name: 'calls',
  meanings: [
    [
      'call, p50 / p99',
      'One echo after the other, from the write of the request to the end of the response. Medians over the rounds.',
    ],
    ['64 in flight', 'Echoes a second with 64 calls open at all times, on one connection (stdio) or 64 (HTTP).'],
    [
      'CPU of a call',
      'User and system time of the server process, divided by the calls; below it that of the processes it started.',
    ],
    [
      'memory after',
      'Resident memory of the server process after all rounds; below it that of the processes it started (plugins, a warm spare, the reaper).',
    ],
  ],
  async run({ workplace, scale }) {
    const rows = [];
    const targets = [];
    for (const way of WAYS) {
      const results = await measure(workplace, way, scale[way.transport]);
      rows.push(...rowsOf(results, way));
      if (way.transport === 'stdio') targets.push(...targetsOf(results, way));
    }
    return { rows, targets };
  },
};

async function measure(workplace, way, { rounds, calls, pumped }) {
  const names = serversFor(way);
  const clients = {};
  for (const name of names) clients[name] = await connect(await commandOf(name, workplace, way), way);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const sample = await sampleOf(clients[name], { calls, pumped });
      if (round >= 0) samples[name].push(sample);
    }
  }
  const results = {};
  for (const name of names) {
    results[name] = { ...medians(samples[name]), ...memoryOf(clients[name].pid) };
    await clients[name].stop();
  }
  return results;
}

async function sampleOf(client, { calls, pumped }) {
  const times = [];
  const oneByOne = await withCpu(client.pid, calls, async () => {
    for (let call = 0; call < calls; call++) {
      const response = await client.request('tools/call', ECHO);
      times.push(response.ms * 1000);
      checkEcho(response);
    }
  });
  let pumpMs;
  const pump = await withCpu(client.pid, pumped, async () => {
    ({ ms: pumpMs } = await client.pump(ECHOES, { calls: pumped, inFlight: IN_FLIGHT }));
  });
  return {
    p50Us: median(times),
    p99Us: quantile(times, 0.99),
    callsPerSecond: (pumped / pumpMs) * 1000,
    cpuUs: oneByOne.self,
    cpuChildrenUs: oneByOne.children,
    pumpCpuUs: pump.self,
    pumpCpuChildrenUs: pump.children,
  };
}

/** Microseconds a call. NaN where the system does not tell. */
async function withCpu(pid, calls, work) {
  const before = usageOf(pid);
  await work();
  const after = usageOf(pid);
  const spent = (who) => (after ? (after[who].cpuUs - before[who].cpuUs) / calls : Number.NaN);
  return { self: spent('self'), children: spent('children') };
}

function memoryOf(pid) {
  const usage = usageOf(pid);
  return { rssMb: usage?.self.rssMb ?? Number.NaN, rssChildrenMb: usage?.children.rssMb ?? Number.NaN };
}

function rowsOf(results, { title }) {
  return ROWS.map(([key, measure, unit]) => {
    const isOfChildren = key.includes('Children');
    const rows = Object.entries(results).filter(([name]) => !isOfChildren || name === 'process');
    return {
      measure,
      way: title,
      unit,
      values: Object.fromEntries(rows.map(([name, result]) => [name, result[key]])),
    };
  });
}

function targetsOf({ official, inProcess, process }, { title }) {
  const cpuRatio = (key) => ({ of: 'inProcess', unit: '×', value: inProcess[key] / official[key], atMost: 1.2 });
  return [
    { target: `CPU of an in-process call, one at a time, ${title}`, over: 'official', ...cpuRatio('cpuUs') },
    { target: `CPU of an in-process call, 64 in flight, ${title}`, over: 'official', ...cpuRatio('pumpCpuUs') },
    {
      target: `a plugin process, 64 in flight, calls/s, ${title}`,
      over: 'official',
      unit: '×',
      value: process.callsPerSecond / official.callsPerSecond,
      atLeast: 1.5,
    },
  ];
}
