import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const TESTS = fileURLToPath(new URL('../../test', import.meta.url));
const MODULES = `
export { contractFaults } from './support/contract-check.ts';
export { removeWorkplace } from './support/workplace.ts';
export { exampleDifferences } from './dotnet/example-differences.ts';
export { makeScriptedDotnet } from './dotnet/scripted-dotnet.ts';
`;
/** What the modules use of a run of the tests, which is none here. */
const STANDS_IN = `
export function onTestFinished() {}
export function countResult() {}
`;

/** The modules with which the tests judge the results of the published examples. */
export async function loadTestModules(folder) {
  const outfile = join(folder, 'test-modules.mjs');
  const plugin = {
    name: 'stand-in',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^vitest$|\/contract-counts\.js$/ }, () => ({ path: 'stand-in', namespace: 'prove' }));
      onLoad({ filter: /.*/, namespace: 'prove' }, () => ({ contents: STANDS_IN }));
    },
  };
  await build({
    stdin: { contents: MODULES, resolveDir: TESTS },
    ...{ outfile, bundle: true, platform: 'node', format: 'esm', plugins: [plugin], logLevel: 'error' },
  });
  return import(pathToFileURL(outfile).href);
}
