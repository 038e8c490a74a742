import { connect } from '../client/index.mjs';
import { SESSIONS } from '../client/protocol.mjs';
import { commandOf, serversFor } from '../servers.mjs';
import { median } from '../stats.mjs';

const WITHOUT_TOOLS = ['floor', 'relay'];
/** The servers that can offer any number of tools. */
const NAMES = serversFor({ transport: 'stdio', version: SESSIONS }).filter((name) => !WITHOUT_TOOLS.includes(name));
const WARM_UP = 10;
const TARGET = { tools: 1000, atMost: 2 };

export const lists = {
  name: 'lists',
  meanings: [
    [
      'tools/list of n tools',
      'From the write of the request to the end of the line with the whole list (stdio, 2025-11-25), and the length of that line.',
    ],
  ],
  async run({ workplace, scale }) {
    const rows = [];
    const targets = [];
    for (const size of scale.lists.sizes) {
      const { ms, kB } = await measure(workplace, size, scale.lists.rounds);
      const measureName = `tools/list of ${size} tools`;
      rows.push({ measure: measureName, way: `stdio ${SESSIONS}`, unit: 'ms', values: ms });
      rows.push({ measure: '… its length', way: `stdio ${SESSIONS}`, unit: 'kB', values: kB });
      if (size === TARGET.tools)
        targets.push({ target: measureName, unit: 'ms', value: ms.process, atMost: TARGET.atMost });
    }
    return { rows, targets };
  },
};

async function measure(workplace, tools, rounds) {
  const clients = [];
  for (const name of NAMES) {
    clients.push({
      name,
      times: [],
      client: await connect(await commandOf(name, workplace, { tools }), { version: SESSIONS }),
    });
  }
  const kB = {};
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const { name, client, times } of clients) {
      const { message, ms, bytes } = await client.request('tools/list');
      if (message.result.tools.length < tools) throw new Error(`${name} lists ${message.result.tools.length} tools`);
      kB[name] = bytes / 1000;
      if (round >= 0) times.push(ms);
    }
  }
  for (const { client } of clients) await client.stop();
  return { ms: Object.fromEntries(clients.map(({ name, times }) => [name, median(times)])), kB };
}
