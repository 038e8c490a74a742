/** Commands that a replica sends for calls and tasks. Redis also counts what a script runs. */
const SENT = ['evalsha', 'eval'];

/**
 * Counts the operations on the store while something runs, by Redis' own `INFO commandstats`. Replicas also use the store by
 * themselves: they tell that they are there, and look for keys that were removed.
 */
export async function countOperations(set, run) {
  await set.redis((client) => client.sendCommand(['CONFIG', 'RESETSTAT']));
  await run();
  const info = await set.redis((client) => client.sendCommand(['INFO', 'commandstats']));
  const calls = SENT.map((name) => Number(new RegExp(`^cmdstat_${name}:calls=(\\d+)`, 'm').exec(info)?.[1] ?? 0));
  return calls.reduce((sum, one) => sum + one, 0);
}
