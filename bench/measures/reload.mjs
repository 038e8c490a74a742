import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../client/index.mjs';
import { SESSIONS } from '../client/protocol.mjs';
import { pluginSource } from '../many-plugins.mjs';
import { median } from '../stats.mjs';
import { MORTISE } from '../workplace.mjs';

/** The server is at rest before a file is saved. */
const SETTLE_MS = 1000;
const LATEST_MS = 10_000;
const TARGET_MS = 200;

export const reload = {
  name: 'reload',
  meanings: [
    [
      'reload of one plugin',
      'With `serve --watch`: from the moment its file is saved with a new description to `notifications/tools/list_changed`.',
    ],
  ],
  async run({ workplace, scale, manyPlugins }) {
    if (!canWatch()) return { rows: [], notes: ['reload: not measured, for `mortise serve` has no --watch.'] };
    const { count, settings, files } = await manyPlugins();
    const client = await connect(workplace.mortise(settings, ['--watch']), { version: SESSIONS });
    await client.request('tools/list');
    const times = [];
    for (let round = 0; round < scale.reloads; round++) {
      await delay(SETTLE_MS);
      const plugin = Math.floor((files.length * (round + 0.5)) / scale.reloads);
      const changed = client.notified('notifications/tools/list_changed');
      const savedAt = performance.now();
      writeFileSync(files[plugin], pluginSource(`echo_${plugin}`, `Gives the text back, version ${round}.`));
      times.push((await within(changed)) - savedAt);
    }
    await client.stop();
    const value = median(times);
    const title = `reload of one plugin among ${count}`;
    return {
      rows: [{ measure: title, way: `stdio ${SESSIONS}`, unit: 'ms', values: { process: value } }],
      targets: [{ target: title, unit: 'ms', value, atMost: TARGET_MS }],
    };
  },
};

function canWatch() {
  return execFileSync(process.execPath, [MORTISE, 'serve', '--help'], { encoding: 'utf8' }).includes('--watch');
}

async function within(changed) {
  const over = new AbortController();
  const timeout = delay(LATEST_MS, undefined, { signal: over.signal }).then(() => {
    throw new Error(`No list_changed within ${LATEST_MS} ms`);
  });
  try {
    return await Promise.race([changed, timeout]);
  } finally {
    over.abort();
    timeout.catch(() => {});
  }
}
