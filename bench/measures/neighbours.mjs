import { readdirSync } from 'node:fs';
import { connect } from '../client/index.mjs';
import { checkEcho, ECHO, SESSIONS } from '../client/protocol.mjs';
import { median, quantile } from '../stats.mjs';
import { BAD_PLUGINS, GOOD_PLUGINS } from '../workplace.mjs';
import { echoesFor } from './large-messages.mjs';

const WARM_UP_CALLS = 500;
const TARGET_RATIO = 2;
const TARGET_P99_MS = 10;

const badTools = readdirSync(BAD_PLUGINS).map((file) => file.replace('.mjs', '').replace('-', '_'));

export const neighbours = {
  name: 'neighbours',
  meanings: [
    [
      'a good plugin, alone / beside ten bad ones',
      `Echoes one after the other, alone; then while ten other plugins (${badTools.join(', ')}) are called, each again as soon as its call has ended.`,
    ],
  ],
  async run({ workplace, scale }) {
    const rounds = [];
    for (let round = 0; round < scale.neighbours.rounds; round++)
      rounds.push(await measure(workplace, scale.neighbours));
    const typical = (when, share) => median(rounds.map((round) => quantile(round[when], share)));
    const p50 = { alone: typical('alone', 0.5), loaded: typical('loaded', 0.5) };
    const p99 = { alone: typical('alone', 0.99), loaded: typical('loaded', 0.99) };
    const row = (measure, process) => ({ measure, way: `stdio ${SESSIONS}`, unit: 'µs', values: { process } });
    const target = { target: `a good plugin beside ${badTools.length} bad ones`, over: 'alone' };
    return {
      rows: [
        row('a good plugin alone, p50', p50.alone),
        row(`… beside ${badTools.length} bad ones, p50`, p50.loaded),
        row('a good plugin alone, p99', p99.alone),
        row(`… beside ${badTools.length} bad ones, p99`, p99.loaded),
      ],
      targets: [
        { ...target, unit: '× p50', value: p50.loaded / p50.alone, atMost: TARGET_RATIO },
        { ...target, unit: 'ms more p99', value: (p99.loaded - p99.alone) / 1000, atMost: TARGET_P99_MS },
      ],
    };
  },
};

/** A fresh server each time: plugins that crash are started again after growing pauses. */
async function measure(workplace, { aloneMs, loadedMs }) {
  const command = workplace.mortise({ Plugins: { Directory: [GOOD_PLUGINS, BAD_PLUGINS] } });
  const client = await connect(command, { version: SESSIONS });
  for (let call = 0; call < WARM_UP_CALLS; call++) checkEcho(await client.request('tools/call', ECHO));
  const alone = await echoesFor(client, aloneMs);
  let isOver = false;
  let answered = 0;
  const bad = badTools.map(async (name) => {
    while (!isOver) {
      await client.request('tools/call', { name });
      answered++;
    }
  });
  const loaded = await echoesFor(client, loadedMs);
  isOver = true;
  await client.stop();
  await Promise.allSettled(bad);
  if (answered === 0) throw new Error('No call of a bad plugin has ended');
  return { alone, loaded };
}
