// npm run compile: types and modules, the page, and the C# programs where there is an SDK. Also vitest's, before the tests.
// It does little where nothing has changed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const STEPS = [
  ['node_modules/typescript/bin/tsc', '-b'],
  ['scripts/build-workbench.mjs'],
  ['scripts/build-plugin-host.mjs'],
];

/** @throws {Error} where a step fails; it has said why */
export function setup() {
  for (const step of STEPS) {
    const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: 'inherit' });
    if (status !== 0) throw new Error(`node ${step.join(' ')} failed`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setup();
