// @ts-check
import { fail, ok } from '@mortise/plugin';

/** @import { CallContext, IProgressReporter, ITool, PluginContext, RegisterApi } from '@mortise/plugin' */

/** @type {string[]} */
const greeted = [];

/** @implements {ITool} */
export class MyTool {
  name = 'my_tool';
  title = 'My tool';
  description = 'Greets a person by name. Asks for the name when none is given.';
  inputSchema = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, description: 'The name of the person, for example Ada' },
    },
    additionalProperties: false,
  };
  annotations = { destructiveHint: false, openWorldHint: false };

  /** @param {PluginContext} context */
  constructor(context) {
    // A setting: Plugins.Settings.my-tool.greeting in appsettings.json, or Plugins.Config.greeting for all plugins.
    this.greeting = context.getConfig('greeting') ?? 'Hello';
  }

  /**
   * @param {{ name?: string } | null} args
   * @param {IProgressReporter} progress
   * @param {AbortSignal} signal
   * @param {CallContext} context
   */
  async executeAsync(args, progress, signal, context) {
    // With some clients, a question ends the call, and the tool runs again from its start with the answer.
    // So put an effect before a question into `await context.once(key, effect)`, which runs the effect only once.
    const name = args?.name ?? (await askForName(context));
    if (!name) return fail('There is no one to greet.', { hint: 'Give the argument name.' });

    // Code after the last question runs only once. Long work reports its progress, and ends when the signal fires.
    progress.report(50, `Greeting ${name}`);
    signal.throwIfAborted();
    greeted.push(name);
    const message = `${this.greeting}, ${name}!`;
    return ok(message, { message });
  }
}

/**
 * Registers a resource. A plugin can export tool classes and a function `register`.
 * @param {RegisterApi} api
 */
export function register(api) {
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
