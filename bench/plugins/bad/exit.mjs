export function register(api) {
  api.registerTool({
    name: 'exit',
    description: 'Ends its process.',
    inputSchema: { type: 'object' },
    run: () => process.exit(3),
  });
}
