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
    // A setting, such as Plugins.Config.greeting in appsettings.json.
    this.greeting = context.getConfig('greeting') ?? 'Hello';
  }

  /**
   * @param {{ name?: string } | null} args
   * @param {IProgressReporter} progress
   * @param {AbortSignal} signal
   * @param {CallContext} context
   */
  async executeAsync(args, progress, signal, context) {
    // A question may end the call, and run it again from here when the answer has come.
    // So: nothing with effects before the last `await context.input…`.
    const name = args?.name ?? (await askForName(context));
    if (!name) return fail('There is no one to greet.', { hint: 'Give the argument name.' });

    // Effects begin here. Long work reports its progress, and ends when the signal fires.
    progress.report(50, `Greeting ${name}`);
    signal.throwIfAborted();
    greeted.push(name);
    const message = `${this.greeting}, ${name}!`;
    return ok(message, { message });
  }
}

/**
 * Resources are registered; a plugin may have both classes and this function.
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
