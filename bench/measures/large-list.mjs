import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../client/index.mjs';
import { commandOf, WAYS } from '../servers.mjs';
import { median } from '../stats.mjs';
import { medianRatio, takeTurns } from '../turns.mjs';

const TOOLS = 1000;
const MOST_RATIO = 1.3;
const TITLE = `tools/list of ${TOOLS} tools`;

const LISTS = {
  method: 'tools/list',
  params: {},
  check({ message }) {
    if (!(message.result?.tools.length >= TOOLS)) throw new Error(`Not ${TOOLS} tools`);
  },
};

export const largeList = {
  name: 'large-list',
  table: 'transports',
  meanings: [
    [
      TITLE,
      'One list after the other, over stdio. The line echo was given the list that Mortise answers with, and returns the same bytes.',
    ],
  ],
  async run({ workplace, scale }) {
    const rows = [];
    const targets = [];
    for (const way of WAYS.filter(({ transport }) => transport === 'stdio')) {
      const rounds = await measure(workplace, way, scale.largeList);
      const values = Object.fromEntries(Object.entries(rounds).map(([name, times]) => [name, median(times)]));
      rows.push({ measure: TITLE, way: way.title, unit: 'µs', values });
      const value = medianRatio(rounds.inProcess, rounds.floor, (us) => us);
      const target = { target: `${TITLE}, ${way.title}`, of: 'inProcess', over: 'floor', unit: '×' };
      targets.push({ ...target, value, atMost: MOST_RATIO });
    }
    return { rows, targets };
  },
};

/** Microseconds of a list, of each round. */
async function measure(workplace, way, { rounds, lists }) {
  const inProcess = await connect(await commandOf('inProcess', workplace, { ...way, tools: TOOLS }), way);
  const response = await inProcess.request(LISTS.method);
  const list = join(workplace.folder(), 'list.json');
  writeFileSync(list, JSON.stringify(response.message.result));
  const floor = await connect(await commandOf('floor', workplace, { ...way, list }), way);
  const copy = await floor.request(LISTS.method);
  if (copy.bytes !== response.bytes) throw new Error(`Lists of ${copy.bytes} and ${response.bytes} bytes`);
  const clients = { floor, inProcess };
  const samples = await takeTurns(clients, rounds, async (client) => {
    const { latenciesUs } = await client.pump(LISTS, { inFlight: 1, calls: lists });
    return median(latenciesUs);
  });
  for (const client of Object.values(clients)) await client.stop();
  return samples;
}
