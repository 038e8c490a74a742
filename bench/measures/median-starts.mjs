import { startToFirstAnswer } from '../client/index.mjs';
import { median } from '../stats.mjs';

/**
 * Starts the servers in turns, so that a busy moment of the machine hits all of them; the median milliseconds to the first
 * answer of each. The unmeasured starts leave what a server remembers.
 * @param check what the answer has to be, by its tools and the server's name
 */
export async function medianStarts(commands, way, { unmeasured, measured }, check) {
  const names = Object.keys(commands);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -unmeasured; round < measured; round++) {
    for (const name of names) {
      const { ms, client, tools } = await startToFirstAnswer(commands[name], way);
      await client.stop();
      if (!check(tools, name)) throw new Error(`${name} does not list its tools`);
      if (round >= 0) times[name].push(ms);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])]));
}
