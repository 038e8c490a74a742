import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../client/index.mjs';
import { checkEcho, ECHO, SESSIONS } from '../client/protocol.mjs';
import { pluginSource } from '../many-plugins.mjs';
import { median, quantile } from '../stats.mjs';
import { takeTurns } from '../turns.mjs';

const ENDLESS = { name: 'endless', arguments: { text: `${'a'.repeat(40)}!` } };
const PATTERNS = { plain: undefined, pattern: '^[A-Z][A-Za-z .]*$', endless: '^(a+)+$' };

export const patterns = {
  name: 'patterns',
  meanings: [
    [
      'a call whose arguments a pattern checks',
      'Echoes one after the other, of two plugins in turn: one without a pattern, and one whose schema has a pattern, which is checked in a thread. Then the latter while a third plugin is called again and again, whose pattern takes forever.',
    ],
  ],
  async run({ workplace, scale }) {
    const client = await connect(workplace.mortise({ Plugins: { Directory: writePlugins(workplace) } }), {
      version: SESSIONS,
    });
    const alone = await measurePatterns({ plain: client, pattern: client }, scale);
    const beside = await besideEndless(client, scale);
    await client.stop();
    const row = (measure, value) => ({ measure, way: `stdio ${SESSIONS}`, unit: 'µs', values: { process: value } });
    const typical = (rounds, share) => median(rounds.map((times) => quantile(times, share)));
    return {
      rows: [
        row('a call without a pattern, p50', typical(alone.plain, 0.5)),
        row('a call whose arguments a pattern checks, p50', typical(alone.pattern, 0.5)),
        row('… p99', typical(alone.pattern, 0.99)),
        row('… beside a pattern that takes forever, p50', quantile(beside, 0.5)),
        row('… p99', quantile(beside, 0.99)),
      ],
    };
  },
};

/** A folder with a plugin for each pattern; its tool has the name of the pattern. */
export function writePlugins(workplace) {
  const folder = workplace.folder();
  for (const [name, pattern] of Object.entries(PATTERNS)) {
    const source = pluginSource(name, 'Gives the text back.', { type: 'string', pattern });
    writeFileSync(join(folder, `${name}.mjs`), source);
  }
  return folder;
}

/** Times of each client's calls, in microseconds. The name of a client begins with that of its tool. */
export function measurePatterns(clients, { stdio: { rounds, calls } }) {
  return takeTurns(clients, rounds, (client, name) => echoes(client, name.split(' ')[0], calls));
}

export async function besideEndless(client, { stdio: { calls } }) {
  let isOver = false;
  const asking = (async () => {
    while (!isOver) await client.request('tools/call', ENDLESS);
  })();
  const times = await echoes(client, 'pattern', calls);
  isOver = true;
  await asking;
  return times;
}

async function echoes(client, name, calls) {
  const times = [];
  for (let done = 0; done < calls; done++) {
    const response = await client.request('tools/call', { ...ECHO, name });
    checkEcho(response);
    times.push(response.ms * 1000);
  }
  return times;
}
