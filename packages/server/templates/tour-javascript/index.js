// @ts-check
import { definePlugin, fail, ok } from '@mortise/plugin';

/** @import { CallContext } from '@mortise/plugin' */

export default definePlugin({
  // What a user can set under Plugins.Settings.my-tool in appsettings.json. The server checks it.
  config: {
    type: 'object',
    properties: { greeting: { type: 'string', default: 'Hello', description: 'The word before the name' } },
  },

  // The server calls this when it loads the plugin.
  register(api, { greeting }) {
    /** @type {string[]} */
    const greeted = [];

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
        // With some clients a question ends the call, and the tool runs again from its start with the answer.
        // So an effect before a question goes into `await context.once(key, effect)`, which runs it only once.
        const name = args.name ?? (await askForName(context));
        if (!name) return fail('There is no one to greet.', { hint: 'Give the argument name.' });

        // After the last question nothing runs twice. Long work reports its progress, and ends when the signal fires.
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

/**
 * Asks the user. The same key finds the same answer when the tool runs again.
 * @param {CallContext} context
 */
async function askForName({ input }) {
  const answer = await input.elicit('name', {
    message: 'Whom shall I greet?',
    schema: { type: 'object', properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] },
  });
  return answer.content?.name;
}
