import { createWorkplace, type Finished, linkContract, type Workplace } from '../support/workplace.js';

/** What each client does with the server, and what it must come to: the same for every client and transport. */
export const EXPECTED = {
  tools: ['add', 'builtin_plugins', 'fails', 'finish', 'greet', 'grow', 'steps', 'touch'],
  'structured output': { sum: 5 },
  error: { isError: true, code: 'OUT_OF_PAPER' },
  progress: { reports: [{ progress: 1, total: 2, message: 'half' }], text: 'both steps' },
  elicitation: 'Hello, Ada!',
  resource: 'Touched 0 times',
  subscription: 'notes://today',
  prompt: 'Greet Ada.',
  completion: ['Ada', 'Alan'],
  'list change': true,
} as const;

export type Feature = keyof typeof EXPECTED;
export const FEATURES = Object.keys(EXPECTED) as Feature[];

const PLUGIN = `
import { fail } from '@mortise/plugin';
const schema = { type: 'object' };
export function register(api) {
  const tool = (name, run, more) => api.registerTool({ name, description: 'd', inputSchema: schema, run, ...more });
  api.defineTool({
    name: 'add',
    title: 'Add',
    description: 'd',
    inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
    outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
    run: ({ a, b }) => ({ sum: a + b }),
  });
  tool('fails', () => fail('No paper.', { code: 'OUT_OF_PAPER' }));
  // It ends when the client has seen the report.
  let finish = () => {};
  tool('steps', (_, { progress }) => new Promise((resolve) => {
    finish = () => resolve('both steps');
    progress.report({ done: 1, total: 2, message: 'half' });
  }));
  tool('finish', () => { finish(); return 'ok'; });
  tool('greet', async (_, { input }) => {
    const properties = { name: { type: 'string' } };
    const { content } = await input.elicit('who', { message: 'Your name?', schema: { properties, required: ['name'] } });
    return 'Hello, ' + content.name + '!';
  });
  tool('grow', () => { tool('added', () => 'ok'); return 'ok'; });
  let touches = 0;
  api.registerResource({ uri: 'notes://today', name: 'today', read: () => 'Touched ' + touches + ' times' });
  tool('touch', () => { touches += 1; api.resourceUpdated('notes://today'); return 'ok'; });
  const names = ['Ada', 'Alan', 'Grace'];
  api.registerPrompt({
    name: 'greeting',
    arguments: [{ name: 'name', required: true, complete: (value) => names.filter((name) => name.startsWith(value)) }],
    get: ({ name }) => 'Greet ' + name + '.',
  });
}`;

/** A workplace with what the features need. */
export function createClientWorkplace(finished: Finished): Workplace {
  const workplace = createWorkplace({ 'plugins/p.mjs': PLUGIN }, {}, finished);
  linkContract(workplace);
  return workplace;
}
