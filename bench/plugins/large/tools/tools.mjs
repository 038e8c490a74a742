/** 100,000 tools. */
export function register(api) {
  const more = { description: 'One of many', inputSchema: { type: 'object' }, run: () => 'x' };
  for (let index = 0; index < 100_000; index++) api.registerTool({ name: `bad_${index}`, ...more });
}
