// @ts-check

/** @import { CallContext, RegisterApi } from '@mortise/plugin' */

/** @param {RegisterApi} api */
export function register(api) {
  /** @type {string[]} */
  const greeted = [];
  // A setting, such as Plugins.Config.greeting in appsettings.json.
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
      // A question may end the call, and run it again from here when the answer has come.
      // So: nothing with effects before the last `await context.input…`.
      const name = input?.name ?? (await askForName(context));
      if (!name) return { content: 'Give the argument name.', error: 'There is no one to greet.' };

      // Effects begin here. Long work reports its progress, and ends when the signal fires.
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
 * Asks the user. The same key finds the same answer when the tool runs again.
 * @param {CallContext} context
 */
async function askForName({ input }) {
  const answer = await input.elicit('name', {
    message: 'Whom shall I greet?',
    schema: { type: 'object', properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] },
  });
  return answer.action === 'accept' ? String(answer.content?.name ?? '') : undefined;
}
