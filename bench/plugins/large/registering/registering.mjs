import { setTimeout as delay } from 'node:timers/promises';

const ROUNDS = 50;
const TOOLS = 2000;
const PAUSE_MS = 20;

/** Registers two thousand tools every 20 ms. */
export function register(api) {
  const tool = (name, description, run) =>
    api.registerTool({ name, description, inputSchema: { type: 'object' }, run });
  tool('bad', 'Registers again and again', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const registered = Array.from({ length: TOOLS }, (_, index) => tool(`again_${index}`, `${round}`, () => 'x'));
      await delay(PAUSE_MS);
      for (const item of registered) item.remove();
    }
    return 'registered';
  });
}
