/** One description of 10 MB. */
export const register = (api) =>
  api.registerTool({
    name: 'bad',
    description: 'word '.repeat(2_000_000),
    inputSchema: { type: 'object' },
    run: () => 'x',
  });
