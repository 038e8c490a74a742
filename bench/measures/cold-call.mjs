import { connect } from '../client/index.mjs';
import { checkEcho, ECHO, SESSIONS } from '../client/protocol.mjs';
import { commandOf } from '../servers.mjs';
import { medians } from '../stats.mjs';

const WAY = { version: SESSIONS };
const GOALS = { inProcess: 1, process: 1.3 };

export const coldCall = {
  name: 'cold-call',
  table: 'starts',
  meanings: [
    [
      'cold call',
      'From the start of the process over `initialize` to the answer to a first `tools/call`, without a list between them; the plugin is remembered of an earlier start, and has not run.',
    ],
  ],
  async run({ workplace, scale }) {
    const commands = {};
    for (const name of ['bareSdk', 'inProcess', 'process']) commands[name] = await commandOf(name, workplace, WAY);
    const samples = [];
    for (let round = -scale.starts.unmeasured; round < scale.starts.measured; round++) {
      const sample = {};
      for (const [name, command] of Object.entries(commands)) sample[name] = await coldCallMs(command);
      if (round >= 0) samples.push(sample);
    }
    const values = medians(samples);
    return {
      rows: [{ measure: 'cold call', way: `stdio ${SESSIONS}`, unit: 'ms', values }],
      targets: Object.entries(GOALS).map(([name, atMost]) => ({
        ...{ kind: 'Goal', target: `cold call, ${name}`, over: 'bareSdk', unit: '×', atMost },
        value: values[name] / values.bareSdk,
      })),
    };
  },
};

async function coldCallMs(command) {
  const startedAt = performance.now();
  const client = await connect(command, WAY);
  checkEcho(await client.request('tools/call', ECHO));
  const ms = performance.now() - startedAt;
  await client.stop();
  return ms;
}
