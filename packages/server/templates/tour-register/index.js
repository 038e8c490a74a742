// @ts-check

/** @import { CallContext, RegisterApi } from '@mortise/plugin' */

/** @param {RegisterApi} api */
export function register(api) {
  /** @type {string[]} */
  const greeted = [];
  // A setting: Plugins.Settings.my-tool.greeting in appsettings.json, or Plugins.Config.greeting for all plugins.
  const greeting = api.getConfig('greeting') ?? 'Hello';

  api.registerTool({
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
    annotations: { destructiveHint: false, openWorldHint: false },

    /** @param {{ name?: string } | null} input */
    async run(input, context) {
      // With some clients, a question ends the call, and the tool runs again from its start with the answer.
      // So put an effect before a question into `await context.once(key, effect)`, which runs the effect only once.
      const name = input?.name ?? (await askForName(context));
      if (!name) return { content: 'Give the argument name.', error: 'There is no one to greet.' };

      // Code after the last question runs only once. Long work reports its progress, and ends when the signal fires.
      context.progress.report(50, `Greeting ${name}`);
      context.signal.throwIfAborted();
      greeted.push(name);
      api.resourceUpdated('greeted://my-tool');
      const message = `${greeting}, ${name}!`;
      return { content: message, metadata: { message } };
    },
  });

  api.registerResource({
    uri: 'greeted://my-tool',
    name: 'Greeted people',
    description: 'The people who were greeted since the plugin was loaded.',
    mimeType: 'application/json',
    read: () => JSON.stringify(greeted),
  });
}

/**
 * Asks the user for a name. When the tool runs again, the same key finds the same answer.
 * @param {CallContext} context
 */
async function askForName({ input }) {
  const answer = await input.elicit('name', {
    message: 'Whom shall I greet?',
    schema: { type: 'object', properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] },
  });
  return answer.content?.name;
}
