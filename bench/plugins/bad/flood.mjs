export function register(api) {
  api.registerTool({
    name: 'flood',
    description: 'Sends messages without end.',
    inputSchema: { type: 'object' },
    timeoutMs: 2000,
    async run(_, { logger, signal }) {
      while (!signal.aborted) {
        for (let line = 0; line < 1000; line++) logger.info('flood', { line });
        await new Promise(setImmediate);
      }
      return 'flooded';
    },
  });
}
