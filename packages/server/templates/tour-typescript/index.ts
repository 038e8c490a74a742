import { type CallContext, definePlugin, fail, ok } from '@mortise/plugin';

export default definePlugin({
  // The settings under Plugins.Settings.my-tool in appsettings.json. The server checks them.
  config: {
    type: 'object',
    properties: { greeting: { type: 'string', default: 'Hello', description: 'The word before the name' } },
  },

  // The server calls this when it loads the plugin.
  register(api, { greeting }) {
    const greeted: string[] = [];

    api.defineTool({
      name: 'my_tool',
      title: 'My tool',
      description: 'Greets a person by name. Asks for the name when none is given.',
      inputSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', minLength: 1, description: 'The name of the person, for example Ada' },
        },
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: { message: { type: 'string', description: 'The greeting' } },
        required: ['message'],
      },
      annotations: { destructiveHint: false, openWorldHint: false },

      async run(args, context) {
        // With some clients, a question ends the call, and the tool runs again from its start with the answer.
        // So put an effect before a question into `await context.once(key, effect)`, which runs the effect only once.
        const name = args.name ?? (await askForName(context));
        if (!name) return fail('There is no one to greet.', { hint: 'Give the argument name.' });

        // Code after the last question runs only once. Long work reports its progress, and ends when the signal fires.
        context.progress.report(50, `Greeting ${name}`);
        context.signal.throwIfAborted();
        context.logger.info('greeting a person', { name });
        greeted.push(name);
        api.resourceUpdated('greeted://my-tool');
        const message = `${greeting}, ${name}!`;
        return ok(message, { message });
      },
    });

    api.registerResource({
      uri: 'greeted://my-tool',
      name: 'Greeted people',
      description: 'The people who were greeted since the plugin was loaded.',
      mimeType: 'application/json',
      read: () => JSON.stringify(greeted),
    });
  },
});

/** Asks the user for a name. When the tool runs again, the same key finds the same answer. */
async function askForName({ input }: CallContext): Promise<string | undefined> {
  const answer = await input.elicit('name', {
    message: 'Whom shall I greet?',
    schema: { type: 'object', properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] },
  });
  return answer.content?.name;
}
