import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkplace, type Finished, type Workplace } from './support/workplace.js';

const PLUGIN = `
const any = { type: 'object' };
export function register(api) {
  api.registerTool({ name: 'echo', description: 'd', inputSchema: { type: 'object', properties: { text: { type: 'string' } } }, run: ({ text }) => text ?? 'done' });
  api.registerTool({ name: 'throw', description: 'd', inputSchema: any, run: (args, { logger }) => {
    logger.warn('about to throw');
    throw new Error('broken');
  } });
  api.registerResource({ uri: 'notes://a', name: 'a', read: () => 'a note' });
  api.registerPrompt({ name: 'greet', get: () => 'hello' });
}`;

export function workplaceWith(audit: object, finished?: Finished): Workplace {
  return createWorkplace(
    { 'plugins/p.mjs': PLUGIN, 'audits/.keep': '' },
    { Plugins: { Directory: 'plugins' }, Audit: { File: 'audits/audit.jsonl', ...audit } },
    finished,
  );
}

export const fileOf = ({ folder }: Workplace) => join(folder, 'audits/audit.jsonl');
export const linesOf = (workplace: Workplace): Record<string, unknown>[] =>
  readFileSync(fileOf(workplace), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

export const SECRET = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
