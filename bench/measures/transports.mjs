import { connect } from '../client/index.mjs';
import { ECHOES } from '../client/protocol.mjs';
import { pumpWithCpu } from '../pump-with-cpu.mjs';
import { commandOf, serversFor, TABLES, WAYS } from '../servers.mjs';
import { medians, quantile } from '../stats.mjs';
import { medianRatio, takeTurns } from '../turns.mjs';

const IN_FLIGHT = { stdio: 64, http: 16 };
const MOST_P99_RATIO = 1;

/** What calls a second of Mortise must be, and what they should be, as multiples of those of another server. */
const TARGETS = {
  'stdio 2025-11-25': { Target: { over: 'bareSdk', atLeast: 4 }, Goal: { over: 'bareSdk', atLeast: 6 } },
  'stdio 2026-07-28': { Target: { over: 'bareSdk', atLeast: 5 }, Goal: { over: 'bareSdk', atLeast: 8 } },
  'http 2025-11-25': { Target: { over: 'bareSdk', atLeast: 5 }, Goal: { over: 'bareSdk', atLeast: 8 } },
  'http 2026-07-28': { Target: { over: 'bareSdk', atLeast: 8 }, Goal: { over: 'nodeHttp', atLeast: 0.6 } },
};

/** What the server may spend on a call, as a share of what another one spends: 8 and 5 µs where the bare SDK spends 34. */
const CPU_TARGETS = {
  'stdio 2025-11-25': { Target: 0.235, Goal: 0.147 },
};

const rowsFor = (inFlight) => [
  ['callsPerSecond', `${inFlight} in flight`, 'calls/s'],
  ['cpuUs', '… CPU of a call', 'µs'],
  ['clientCpuUs', '… of its client', 'µs'],
  ['p50Us', 'one at a time, p50', 'µs'],
  ['p99Us', '… p99', 'µs'],
];

export const transports = {
  name: 'transports',
  table: 'transports',
  meanings: [
    [
      '64 in flight, 16 in flight',
      'Echoes a second with 64 calls open at all times on one connection (stdio), or on 16 connections with one call each (HTTP). The client writes requests that were made before, with new ids, and counts responses by the ends of their lines or bodies. Their lengths are compared, and a sample of them is parsed.',
    ],
    [
      '… CPU of a call, … of its client',
      'User and system time of the server and of the client, divided by the calls. If that of the client is the larger one, the client limits how many calls there are in a second.',
    ],
    ['one at a time, p50 / p99', 'By the same client, from the write of a request to the end of its response.'],
    [
      'targets over another server',
      'The servers take turns of equal length, in the reverse order in every other round. Each round has its ratio; the figure is the median of the ratios.',
    ],
  ],
  async run({ workplace, scale }) {
    const rows = [];
    const targets = [];
    for (const way of WAYS) {
      const rounds = await measure(workplace, way, scale.transports);
      rows.push(...rowsOf(rounds, way));
      targets.push(...targetsOf(rounds, way));
    }
    return { rows, targets };
  },
};

async function measure(workplace, way, { warmUpMs, rounds, ms, oneByOneMs }) {
  const inFlight = IN_FLIGHT[way.transport];
  const clients = {};
  for (const name of serversFor(way, TABLES.transports)) {
    clients[name] = await connect(await commandOf(name, workplace, way), way);
    await clients[name].pump(ECHOES, { inFlight, ms: warmUpMs });
  }
  const samples = await takeTurns(clients, rounds, async (client) => {
    const many = await pumpWithCpu(client, { inFlight, ms });
    const { latenciesUs } = await client.pump(ECHOES, { inFlight: 1, ms: oneByOneMs });
    return { ...many, p50Us: quantile(latenciesUs, 0.5), p99Us: quantile(latenciesUs, 0.99) };
  });
  for (const client of Object.values(clients)) await client.stop();
  return samples;
}

function rowsOf(rounds, { title, transport }) {
  const results = Object.entries(rounds).map(([name, samples]) => [name, medians(samples)]);
  return rowsFor(IN_FLIGHT[transport]).map(([key, measure, unit]) => ({
    ...{ measure, way: title, unit },
    values: Object.fromEntries(results.map(([name, result]) => [name, result[key]])),
  }));
}

function targetsOf(rounds, { title, transport }) {
  const ratio = (key, over) => ({
    ...{ of: 'inProcess', over, unit: '×' },
    value: medianRatio(rounds.inProcess, rounds[over], (sample) => sample[key]),
  });
  const bounds = Object.entries(TARGETS[title]).map(([kind, { over, atLeast }]) => ({
    ...{ kind, target: `${IN_FLIGHT[transport]} in flight, ${title}`, atLeast },
    ...ratio('callsPerSecond', over),
  }));
  const cpuBounds = Object.entries(CPU_TARGETS[title] ?? {}).map(([kind, atMost]) => ({
    ...{ kind, target: `CPU of a call, ${IN_FLIGHT[transport]} in flight, ${title}`, atMost },
    ...ratio('cpuUs', 'bareSdk'),
  }));
  return [
    ...bounds,
    ...cpuBounds,
    { target: `one at a time, p99, ${title}`, ...ratio('p99Us', 'bareSdk'), atMost: MOST_P99_RATIO },
  ];
}
