import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 10;
/** Fewer than the server lets run at a time: on a machine that is too slow, calls are late, and are not refused. */
const MAX_OPEN = 50;
const GIVE_UP_MS = 60_000;

/** A plugin that behaves well, and whose schema has a pattern. */
export const GOOD = `export function register(api) {
  api.registerTool({
    name: 'good', description: 'Says the text.', run: ({ text }) => text,
    inputSchema: { type: 'object', properties: { text: { type: 'string', pattern: '^[a-z]+-[0-9]+$' } }, required: ['text'] },
  });
}`;

/**
 * Calls the good plugin every 10 ms, whether or not the calls before have been answered, so that a server that stands still
 * delays all calls of that time. The milliseconds count from the moment at which a call had to be sent.
 */
export async function callGood(client, { forMs }) {
  const times = [];
  const failures = [];
  const open = new Set();
  const call = async (text, dueAt) => {
    try {
      const { message } = await client.request('tools/call', { name: 'good', arguments: { text } });
      times.push(performance.now() - dueAt);
      if (message.result?.content?.[0]?.text !== text) failures.push(`good: ${JSON.stringify(message).slice(0, 300)}`);
    } catch (error) {
      failures.push(`good: ${error.message}`);
    }
  };
  const startedAt = performance.now();
  for (let number = 0; number * EVERY_MS < forMs; number++) {
    const dueAt = startedAt + number * EVERY_MS;
    if (dueAt > performance.now()) await sleep(dueAt - performance.now());
    if (open.size >= MAX_OPEN) await Promise.race(open);
    const calling = call(`text-${number}`, dueAt).finally(() => open.delete(calling));
    open.add(calling);
  }
  const isAnswered = await Promise.race([Promise.all(open).then(() => true), sleep(GIVE_UP_MS, false, { ref: false })]);
  if (!isAnswered) failures.push(`good: ${open.size} calls have no answer`);
  return { times, failures };
}
