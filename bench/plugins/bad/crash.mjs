export function register(api) {
  api.registerTool({
    name: 'crash',
    description: 'Throws where no one catches it.',
    inputSchema: { type: 'object' },
    run: () =>
      new Promise(() => {
        setImmediate(() => {
          throw new Error('crashed');
        });
      }),
  });
}
