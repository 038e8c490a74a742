/** A result of 30 MB of text. */
export const register = (api) =>
  api.registerTool({
    name: 'bad',
    description: 'A large text',
    inputSchema: { type: 'object' },
    run: () => 'word '.repeat(6_000_000),
  });
