import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The tools write a line into a file when they have an effect, so that an effect that happens twice is seen. */
const PLUGIN = (ledger) => `
import { appendFileSync } from 'node:fs';
const inputSchema = {
  type: 'object',
  properties: { run: { type: 'string', pattern: '^[a-z0-9-]+$' }, ms: { type: 'integer' } },
  required: ['run'],
};
const effect = (run) => appendFileSync(${JSON.stringify(ledger)}, run + '\\n');
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const question = {
  message: 'Which name?',
  schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
};
export function register(api) {
  const tool = (name, description, run) => api.registerTool({ name, description, inputSchema, run });
  tool('echo', 'Says the name of the run.', ({ run }) => run);
  tool('waits', 'Waits, and says the name of the run.', async ({ run, ms }, { progress }) => {
    effect(run);
    progress.report({ done: 1, total: 2, message: run });
    await wait(ms);
    return run;
  });
  tool('asks', 'Asks for a name after a while.', async ({ run, ms = 0 }, { input }) => {
    await wait(ms);
    const { content } = await input.elicit('name', { ...question, message: 'Which name for ' + run + '?' });
    effect(run);
    return run + ' ' + content.name;
  });
  tool('prints', 'Says more than a result shows.', ({ run }) => (run + ' ').repeat(200));
}`;

const CHANGING = (version) => `
export function register(api) {
  api.registerTool({ name: 'changing', description: 'Version ${version}', inputSchema: { type: 'object' }, run: () => '' });
}`;

/** The tools that each list has. */
export const TOOLS = ['echo', 'waits', 'asks', 'prints'];
/** Longer texts are stored outputs. */
export const MAX_TEXT_CHARS = 500;

/** @param ledger the file with a line for each effect */
export function writePlugin(folder, ledger) {
  writeFileSync(ledger, '');
  writeFileSync(join(folder, 'waiting.mjs'), PLUGIN(ledger));
  writeVersion(folder, 0);
}

/** Changes the description of a tool. */
export function writeVersion(folder, version) {
  const draft = join(folder, '.changing.draft');
  writeFileSync(draft, CHANGING(version));
  renameSync(draft, join(folder, 'changing.mjs'));
}

/** The version that a list has. */
export function versionIn(tools) {
  return Number(tools.find(({ name }) => name === 'changing').description.replace('Version ', ''));
}
