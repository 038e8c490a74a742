// @ts-check

/** @param {import('@mortise/plugin').RegisterApi} api */
export function register(api) {
  api.registerTool({
    name: 'my_tool',
    title: 'My tool',
    description: 'Greets a person by name.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string', description: 'The name of the person, for example Ada' } },
      required: ['name'],
    },
    run: ({ name }) => `Hello, ${name}!`,
  });
}
