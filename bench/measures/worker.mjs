import { connect } from '../client/index.mjs';
import { ECHOES } from '../client/protocol.mjs';
import { pumpWithCpu } from '../pump-with-cpu.mjs';
import { commandOf, serversFor, TABLES, WAYS } from '../servers.mjs';
import { medians, quantile } from '../stats.mjs';
import { medianRatio, takeTurns } from '../turns.mjs';

const IN_FLIGHT = 64;

/** What calls a second must be as multiples of the bare SDK's with its tool in process, and times of a line relay's. */
const LEAST_CALLS_RATIO = 2;
const GOAL_CALLS_RATIO = 3;
const MOST_P50_RATIO = 1.3;
const MOST_P99_RATIO = 2;

const ROWS = [
  ['callsPerSecond', `${IN_FLIGHT} in flight`, 'calls/s'],
  ['cpuUs', '… CPU of a call', 'µs'],
  ['childrenCpuUs', '… of its second process', 'µs'],
  ['clientCpuUs', '… of its client', 'µs'],
  ['p50Us', 'one at a time, p50', 'µs'],
  ['p99Us', '… p99', 'µs'],
];

export const worker = {
  name: 'worker',
  table: 'worker',
  meanings: [
    [
      'a plugin process',
      'As the transports, with a plugin that runs in a process of its own; the bare SDK runs its tool in its only process. On a machine with two cores client, server and plugin share them: there the processor time says more than the calls a second. What a call one at a time takes longer than the parsing relay is checks, limits, redaction and everything else that Mortise does; the rest is Node and JSON.',
    ],
  ],
  async run({ workplace, scale }) {
    const rows = [];
    const targets = [];
    for (const way of WAYS.filter(({ transport }) => transport === 'stdio')) {
      const rounds = await measure(workplace, way, scale.transports);
      rows.push(...rowsOf(rounds, way));
      targets.push(...targetsOf(rounds, way));
    }
    return { rows, targets };
  },
};

async function measure(workplace, way, { warmUpMs, rounds, ms, oneByOneMs }) {
  const clients = {};
  for (const name of serversFor(way, TABLES.worker)) {
    clients[name] = await connect(await commandOf(name, workplace, way), way);
    await clients[name].pump(ECHOES, { inFlight: IN_FLIGHT, ms: warmUpMs });
  }
  const samples = await takeTurns(clients, rounds, async (client) => {
    const many = await pumpWithCpu(client, { inFlight: IN_FLIGHT, ms });
    const { latenciesUs } = await client.pump(ECHOES, { inFlight: 1, ms: oneByOneMs });
    return { ...many, p50Us: quantile(latenciesUs, 0.5), p99Us: quantile(latenciesUs, 0.99) };
  });
  for (const client of Object.values(clients)) await client.stop();
  return samples;
}

function rowsOf(rounds, { title }) {
  const results = Object.entries(rounds).map(([name, samples]) => [name, medians(samples)]);
  return ROWS.map(([key, measure, unit]) => ({
    ...{ measure, way: title, unit },
    values: Object.fromEntries(results.map(([name, result]) => [name, result[key]])),
  }));
}

function targetsOf(rounds, { title }) {
  const ratio = (key, over) => ({
    ...{ of: 'process', over, unit: '×' },
    value: medianRatio(rounds.process, rounds[over], (sample) => sample[key]),
  });
  const calls = { target: `a plugin process, ${IN_FLIGHT} in flight, ${title}`, ...ratio('callsPerSecond', 'bareSdk') };
  const oneAtATime = `a plugin process, one at a time, ${title}`;
  return [
    { ...calls, atLeast: LEAST_CALLS_RATIO },
    { ...calls, kind: 'Goal', atLeast: GOAL_CALLS_RATIO },
    { target: `${oneAtATime}, p50`, ...ratio('p50Us', 'relay'), atMost: MOST_P50_RATIO },
    { target: `${oneAtATime}, p99`, ...ratio('p99Us', 'relay'), atMost: MOST_P99_RATIO },
  ];
}
