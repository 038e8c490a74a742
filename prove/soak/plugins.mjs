import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ECHO = `const inputSchema = {
  type: 'object',
  properties: { text: { type: 'string', pattern: '^[a-z0-9-]+$' } },
  required: ['text'],
};
const outputSchema = { type: 'object', properties: { said: { type: 'string' } }, required: ['said'] };`;

/** A plugin that behaves well. */
const STEADY = `${ECHO}
export function register(api) {
  api.registerTool({ name: 'steady', description: 'Says the text.', inputSchema, run: ({ text }) => text });
  api.registerTool({
    name: 'structured', description: 'Says the text as data.', inputSchema, outputSchema,
    run: ({ text }, { logger }) => { logger.info('said', { text }); return { said: text }; },
  });
  api.registerTool({
    name: 'slow', description: 'Takes its time, unless it is cancelled.', inputSchema,
    run: ({ text }, { signal }) => new Promise((resolve) => {
      const timer = setTimeout(() => resolve(text), 1000);
      signal.addEventListener('abort', () => { clearTimeout(timer); resolve('cancelled'); });
    }),
  });
}`;

/** How the other plugin crashes, by the argument of its tool. */
export const CRASHES = ['throws', 'exits', 'kills', 'aborts'];
const CRASHING = `${ECHO}
const CRASHES = {
  throws: () => setImmediate(() => { throw new Error('crashed'); }),
  exits: () => process.exit(3),
  kills: () => process.kill(process.pid, 'SIGKILL'),
  aborts: () => process.abort(),
};
export function register(api) {
  api.registerTool({ name: 'shaky', description: 'Says the text.', inputSchema, run: ({ text }) => text });
  api.registerTool({
    name: 'crash', description: 'Crashes.', inputSchema,
    run: ({ text }) => { CRASHES[text](); return new Promise(() => {}); },
  });
}`;

/** Every second version has one more tool, so that lists change. */
const reloadedOf = (version) => `${ECHO}
export function register(api) {
  api.registerTool({ name: 'versioned', description: 'Says its version.', inputSchema, run: ({ text }) => '${version} ' + text });
  if (${version % 2 === 1}) api.registerTool({ name: 'extra', description: 'Is there at times.', inputSchema, run: ({ text }) => text });
}`;

/** The tools that each list has. */
export const TOOLS = ['steady', 'structured', 'slow', 'shaky', 'crash', 'versioned'];

/** Writes the plugins into a folder. */
export function writePlugins(folder) {
  writeFileSync(join(folder, 'steady.mjs'), STEADY);
  writeFileSync(join(folder, 'crashing.mjs'), CRASHING);
  writeReloaded(folder, 0);
}

/** Replaces the plugin `reloaded` by its version with this number. */
export function writeReloaded(folder, version) {
  const draft = join(folder, '.reloaded.draft');
  writeFileSync(draft, reloadedOf(version));
  renameSync(draft, join(folder, 'reloaded.mjs'));
}
