/** Of `lostTask` in packages/server/src/state/task-record.ts: whoever takes a task over raises its token. */
const FIRST_TOKEN = '1';

/** Looks at every key in the store. @returns their number, the number of tasks, and what must not be there */
export async function checkEntries(set, { keepMs, leaseMs, prefix = 'mortise' }) {
  const problems = [];
  let tasks = 0;
  const keys = await set.redis(async (client) => {
    const found = [];
    for await (const some of client.scanIterator({ MATCH: '*', COUNT: 500 })) found.push(...some);
    for (const key of found) {
      const leftMs = await client.pTTL(key);
      if (leftMs === -1) problems.push(`the key ${key} never expires`);
      if (!key.startsWith(`${prefix}:`)) problems.push(`the key ${key} lacks the prefix`);
      if (!key.endsWith(':task') || leftMs === -2) continue;
      tasks += 1;
      if (leftMs > keepMs + leaseMs) problems.push(`the key ${key} stays for ${leftMs} ms`);
      const { value, token } = await client.hGetAll(key);
      const isLost = JSON.parse(value).task.error?.data?.code === 'TASK_LOST';
      if (isLost !== (token !== FIRST_TOKEN))
        problems.push(`written without a lease: ${key} has the token ${token} and ${value.slice(0, 300)}`);
    }
    return found.length;
  });
  return { keys, tasks, problems };
}
