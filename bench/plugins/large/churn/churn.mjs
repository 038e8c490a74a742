const ROUNDS = 200;
const TOOLS = 50;

/** Registers fifty tools again and again. */
export function register(api) {
  const tool = (name, description, run) =>
    api.registerTool({ name, description, inputSchema: { type: 'object' }, run });
  tool('bad', 'Changes the list', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const registered = Array.from({ length: TOOLS }, (_, index) => tool(`again_${index}`, `${round}`, () => 'x'));
      await new Promise(setImmediate);
      for (const item of registered) item.remove();
    }
    return 'changed';
  });
}
