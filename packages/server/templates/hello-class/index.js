// @ts-check
import { ok } from '@mortise/plugin';

/** @import { ITool } from '@mortise/plugin' */

/** @implements {ITool} */
export class MyTool {
  name = 'my_tool';
  title = 'My tool';
  description = 'Greets a person by name.';
  inputSchema = {
    type: 'object',
    properties: { name: { type: 'string', description: 'The name of the person, for example Ada' } },
    required: ['name'],
  };

  /** @param {{ name: string }} args */
  async executeAsync({ name }) {
    return ok(`Hello, ${name}!`);
  }
}
