import { createWorkplace, type Workplace } from '../../../../test/support/workplace.js';
import { withoutIsolation } from './run-mortise.js';

const MANIFEST = {
  name: '@acme/notes',
  version: '1.2.0',
  license: 'MIT',
  type: 'module',
  keywords: ['mortise-plugin'],
  exports: { types: './dist/index.d.ts', default: './dist/index.js' },
  files: ['dist'],
  peerDependencies: { '@mortise/plugin': '>=0.1.0' },
  scripts: { prepack: 'node build.mjs' },
};

/** The text of a plugin with one tool of this name. */
export const notePlugin = (name: string) => `
export const note = {
  name: '${name}', description: 'Adds a note.', inputSchema: { type: 'object', properties: {} },
  executeAsync: async () => ({ content: [] }),
};`;

/** A package whose `dist` is made by its script `prepack`. */
export function createPackage(manifest: object = {}, files: Record<string, string> = {}): Workplace {
  const own = {
    'package.json': JSON.stringify({ ...MANIFEST, ...manifest }),
    'build.mjs':
      "import { cpSync } from 'node:fs';\ncpSync('src', 'dist', { recursive: true });\nconsole.log('built');",
    'src/index.js': notePlugin('note.add'),
    'src/index.d.ts': 'export declare const note: unknown;',
    'README.md': '# Notes',
    LICENSE: 'MIT',
    ...files,
  };
  return withoutIsolation(
    createWorkplace(Object.fromEntries(Object.entries(own).map(([path, text]) => [`notes/${path}`, text]))),
  );
}
