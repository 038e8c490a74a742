export function register(api) {
  api.registerTool({
    name: 'eat_heap',
    description: 'Fills the V8 heap.',
    inputSchema: { type: 'object' },
    async run() {
      const kept = [];
      for (;;) {
        for (let item = 0; item < 100_000; item++) kept.push({ item, text: `${item}` });
        await new Promise(setImmediate);
      }
    },
  });
}
