import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../client/index.mjs';
import { checkEcho, ECHO, SESSIONS } from '../client/protocol.mjs';
import { writePlugins } from '../many-plugins.mjs';
import { median } from '../stats.mjs';

/** By then the warm spare has been started. */
const SPARE_MS = 1500;
const LATER_CALLS = 20;
const TARGET_MS = 60;

export const firstCall = {
  name: 'first-call',
  meanings: [
    [
      'first call of a plugin',
      'A plugin whose process has not started yet, while a warm spare waits (not for the first of all); then the median of 20 later calls of it.',
    ],
  ],
  async run({ workplace, scale }) {
    const folder = workplace.folder();
    writePlugins(folder, scale.firstCalls);
    const command = workplace.mortise({ Plugins: { Directory: folder } });
    await (await connect(command, { version: SESSIONS })).stop();
    const client = await connect(command, { version: SESSIONS });
    await client.request('tools/list');
    const first = [];
    const later = [];
    for (let plugin = 0; plugin < scale.firstCalls; plugin++) {
      await delay(SPARE_MS);
      const call = { ...ECHO, name: `echo_${plugin}` };
      const times = [];
      for (let count = 0; count <= LATER_CALLS; count++) {
        const response = await client.request('tools/call', call);
        checkEcho(response);
        times.push(response.ms);
      }
      first.push(times.shift());
      later.push(median(times));
    }
    await client.stop();
    const row = (measure, times) => ({
      measure,
      way: `stdio ${SESSIONS}`,
      unit: 'ms',
      values: { process: median(times) },
    });
    const value = median(first) - median(later);
    return {
      rows: [row('first call of a plugin', first), row('a later call of it', later)],
      targets: [{ target: 'first call of a plugin', over: 'a later one', unit: 'ms more', value, atMost: TARGET_MS }],
    };
  },
};
