import { definePlugin } from '@mortise/plugin';

export default definePlugin({
  register(api) {
    api.defineTool({
      name: 'my_tool',
      title: 'My tool',
      description: 'Greets a person by name.',
      inputSchema: {
        type: 'object',
        properties: { name: { type: 'string', description: 'The name of the person, for example Ada' } },
        required: ['name'],
      },
      // The server checks the arguments against inputSchema, from which the compiler knows that `name` is a string.
      run: ({ name }) => `Hello, ${name}!`,
    });
  },
});
