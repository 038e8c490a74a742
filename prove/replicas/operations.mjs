/** Commands that a replica sends. Redis also counts what a script runs. */
const SENT = ['evalsha', 'eval', 'publish'];

/**
 * Counts the operations on the store while something runs, by Redis' own `INFO commandstats`. Replicas also tell each other
 * that they are there, with one operation each every five seconds, and renew the leases of tasks.
 * @returns the number of operations, and the milliseconds that it took
 */
export async function countOperations(set, run) {
  await set.redis((client) => client.sendCommand(['CONFIG', 'RESETSTAT']));
  const startedAt = performance.now();
  await run();
  const ms = performance.now() - startedAt;
  const info = await set.redis((client) => client.sendCommand(['INFO', 'commandstats']));
  const calls = SENT.map((name) => Number(new RegExp(`^cmdstat_${name}:calls=(\\d+)`, 'm').exec(info)?.[1] ?? 0));
  return { operations: calls.reduce((sum, one) => sum + one, 0), ms };
}

/** The most operations by which replicas tell in a time that they are there. */
export const presenceIn = (set, ms) => set.replicas.length * (Math.ceil(ms / 5_000) + 1);
