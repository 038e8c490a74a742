// @ts-check
import { ok } from '@mortise/plugin';

/** @import { ITool, PluginContext } from '@mortise/plugin' */

const inputSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, description: 'The name of the person, for example Ada' },
  },
  required: ['name'],
  additionalProperties: false,
};

/**
 * The smallest class tool. It needs no constructor.
 * @implements {ITool}
 */
export class Hello {
  name = 'hello';
  title = 'Say hello';
  description = 'Says hello to a person by name.';
  inputSchema = inputSchema;
  annotations = { readOnlyHint: true, openWorldHint: false };

  /** @param {{ name: string }} args */
  async executeAsync({ name }) {
    return ok(`Hello, ${name}!`);
  }
}

/**
 * A class tool whose constructor takes the plugin's context and reads `Plugins.Config.greeting` from appsettings.json.
 * @implements {ITool}
 */
export class Welcome {
  name = 'welcome';
  title = 'Welcome someone';
  description = 'Welcomes a person by name, with the greeting of this server. Use it when someone joins.';
  inputSchema = inputSchema;
  annotations = { readOnlyHint: true, openWorldHint: false };

  /** @param {PluginContext} context */
  constructor(context) {
    this.greeting = context.getConfig('greeting') ?? 'Welcome';
    context.logger.info('Ready to welcome people', { greeting: this.greeting });
  }

  /** @param {{ name: string }} args */
  async executeAsync({ name }) {
    const message = `${this.greeting}, ${name}!`;
    return ok(message, { name, message });
  }
}
