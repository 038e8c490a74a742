/** Plugins for the tests, as the text of their files. */
export const ECHO = `
export const echo = {
  name: 'echo', description: 'Gives its arguments back\\nas JSON',
  inputSchema: {
    type: 'object',
    $defs: { size: { type: 'integer' } },
    properties: {
      text: { type: 'string' }, id: { type: ['string', 'number'] }, size: { $ref: '#/$defs/size' }, ratio: { type: 'number' },
      flag: { type: 'boolean' }, nothing: { type: 'null' }, names: { type: 'array', items: { type: 'string' } },
      sizes: { type: 'array', items: { type: 'integer' } }, nested: { type: 'object' }, level: { enum: [1, 2] },
      maybe: { anyOf: [{ type: 'integer' }, { type: 'null' }] }, any: {},
    },
  },
  async executeAsync(args) { return { content: [{ type: 'text', text: JSON.stringify(args) }] }; },
};
export const dotted = {
  name: 'weather.today', description: 'Weather', inputSchema: { type: 'object', properties: { days: { type: 'integer' } } },
  async executeAsync({ days }) { return { content: [{ type: 'text', text: 'sunny ' + typeof days }] }; },
};
export const failing = {
  name: 'failing', description: 'Fails', inputSchema: { type: 'object' },
  async executeAsync() { return { content: [{ type: 'text', text: 'no such city' }], isError: true }; },
};
export const picture = {
  name: 'picture', description: 'Draws', inputSchema: { type: 'object' },
  async executeAsync() { return { content: [{ type: 'text', text: 'Here:' }, { type: 'image', mimeType: 'image/png', data: 'aGVsbG8=' }] }; },
};
export const printing = {
  name: 'printing', description: 'Prints', inputSchema: { type: 'object' },
  async executeAsync() { console.log('printed by the plugin'); process.stdout.write('and past the console\\n'); return { content: [{ type: 'text', text: 'done' }] }; },
};
`;

/** Waits for its signal (`slow`) or does not care for it (`stubborn`); says on stderr when it runs. */
export const SLOW = `
const waiting = (name, isStubborn) => ({
  name, description: 'Waits', inputSchema: { type: 'object' },
  async executeAsync(args, progress, signal) {
    console.error('running ' + name);
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, 15000);
      if (!isStubborn) signal.addEventListener('abort', () => { clearTimeout(timer); resolve(); });
    });
    return { content: [{ type: 'text', text: 'ended' }] };
  },
});
export const slow = waiting('slow', false);
export const stubborn = waiting('stubborn', true);
`;

export const BROKEN = 'export const tool = {\n  name: (,\n};\n';

/** Loads, with a warning: its tool says nothing about itself. */
export const SILENT = 'exports.register = (api) => { api.registerTool({ name: "silent", run: () => "quiet" }); };\n';

/** Settings with which plugins run in the process of the command itself. */
export const IN_PROCESS = { Plugins: { Directory: 'plugins', Isolation: 'none' } };

/** What a careless plugin leaves behind: a timer that never ends, and one that throws. */
export const CARELESS = `
setInterval(() => {}, 1000);
setTimeout(() => { throw new Error('forgotten timer'); }, 5);
export const tool = {
  name: 'careless', description: 'Waits a little', inputSchema: { type: 'object' },
  async executeAsync() { await new Promise((resolve) => setTimeout(resolve, 200)); return { content: [{ type: 'text', text: 'still here' }] }; },
};
`;

/** A text that looks like a secret and is none, in a result and in the log. */
export const PAGES = `
import { notSecret } from '@mortise/plugin';
export const register = (api) => api.defineTool({
  name: 'pages', title: 'Pages', description: 'd', inputSchema: { type: 'object' },
  run: (_, { logger }) => {
    logger.warn('token=' + notSecret('page-2-is-long') + ' pwd=hunter2-is-long');
    return { token: notSecret('page-2'), password: 'hunter2' };
  },
});
`;

/** A tool that greets with a word, and logs whom. */
export const greeting = (word: string, description = 'Greets.') => `
export function register(api) {
  api.registerTool({
    name: 'greet',
    description: '${description}',
    inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
    run: ({ name }, { logger }) => {
      logger.info('greeting', { who: name });
      return '${word}, ' + name + '!';
    },
  });
}
`;

/** A tool with this description, and what else its file has. */
export const weather = (description: string, more = '') => `
export const weather = {
  name: 'weather.today', description: ${JSON.stringify(description)}, inputSchema: { type: 'object' },
  async executeAsync() { return { content: [{ type: 'text', text: 'sunny' }] }; },
};
${more}`;
