import { connect } from '../client/index.mjs';
import { ECHO } from '../client/protocol.mjs';
import { commandOf, serversFor, WAYS } from '../servers.mjs';
import { median } from '../stats.mjs';
import { echoesUs } from './echoes.mjs';

const TARGET_US = 40;
/** Each with the one that has a process less. */
const PAIRS = { relay: 'floor', process: 'inProcess' };

export const hop = {
  name: 'hop',
  meanings: [
    [
      'one more process, p50',
      'What an echo takes longer through one more process: the line relay over the line echo, Mortise with a plugin process over Mortise without. How long a core takes to wake up is the machine’s: the line relay shows how much of a hop that is. In turns, medians over the rounds of the differences.',
    ],
  ],
  async run({ workplace, scale }) {
    const rows = [];
    const targets = [];
    for (const way of WAYS.filter(({ transport }) => transport === 'stdio')) {
      const row = (measure, values) => ({ measure, way: way.title, unit: 'µs', values });
      const more = await measure(workplace, way, scale.stdio);
      rows.push(row('one more process, p50', more));
      const target = `one more process, median call, ${way.title}`;
      targets.push({ target, over: 'in process', unit: 'µs more', value: more.process, atMost: TARGET_US });
    }
    return { rows, targets };
  },
};

async function measure(workplace, way, { rounds, calls }) {
  const servers = serversFor(way);
  const pairs = Object.entries(PAIRS).filter(([name]) => servers.includes(name));
  const clients = {};
  for (const name of pairs.flat()) clients[name] = await connect(await commandOf(name, workplace, way), way);
  const more = Object.fromEntries(pairs.map(([name]) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const [name, less] of pairs) {
      const lessUs = await echoesUs(clients[less], ECHO, calls);
      const differenceUs = (await echoesUs(clients[name], ECHO, calls)) - lessUs;
      if (round >= 0) more[name].push(differenceUs);
    }
  }
  for (const client of Object.values(clients)) await client.stop();
  return Object.fromEntries(pairs.map(([name]) => [name, median(more[name])]));
}
