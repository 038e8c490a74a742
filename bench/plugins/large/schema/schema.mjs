/** One schema of 10 MB. */
export const register = (api) =>
  api.registerTool({
    name: 'bad',
    description: 'A large schema',
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 100_000 }, (_, index) => [`p${index}`, { type: 'string', description: 'x'.repeat(60) }]),
      ),
    },
    run: () => 'x',
  });
