const block = { type: 'text', text: 'x' };

/** A result of 1,000,000 blocks. */
export const register = (api) =>
  api.registerTool({
    name: 'bad',
    description: 'Many blocks',
    inputSchema: { type: 'object' },
    run: () => ({ content: Array(1_000_000).fill(block) }),
  });
