export function register(api) {
  api.registerTool({
    name: 'eat_buffers',
    description: 'Fills memory outside of the V8 heap.',
    inputSchema: { type: 'object' },
    async run() {
      const kept = [];
      for (;;) {
        kept.push(Buffer.alloc(16 * 1024 * 1024, 1));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  });
}
