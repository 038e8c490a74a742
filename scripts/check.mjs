// npm run check: types, type tests, lint and format, order of folders, citations and links, defaults,
// lines of Markdown, generated files. One command, the same in CI.
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { GENERATORS } from './generators.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url));

/** The others read what it makes. */
const first = ['types', [bin('typescript/bin/tsc'), '-b']];
const steps = [
  ['types of the plugin contract', [bin('typescript/bin/tsc'), '-p', 'packages/plugin/test-d']],
  ['types of MCP against the official SDK', [bin('typescript/bin/tsc'), '-p', 'packages/mcp/test-d']],
  ['types of the workbench page', [bin('typescript/bin/tsc'), '-p', 'packages/workbench']],
  ['types of the tests', [bin('typescript/bin/tsc'), '-p', 'tsconfig.test.json']],
  ['lint and format', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']],
  ['order of folders, cycles, names of files', ['scripts/check-imports.mjs']],
  ['citations of the specification, links of the docs', ['scripts/check-citations.mjs']],
  ['defaults of settings in pages', ['scripts/check-defaults.mjs']],
  ['length of lines in Markdown', ['scripts/check-line-lengths.mjs']],
  ...GENERATORS.map(([title, script]) => [title, [script, '--check']]),
];

await check(first);
await Promise.all(Array.from({ length: availableParallelism() }, checkRest));

async function checkRest() {
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) await check(step);
}

function check([title, args]) {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, maxBuffer: Number.POSITIVE_INFINITY }, (error, stdout, stderr) => {
      console.log(`${error === null ? 'ok    ' : 'FAILED'} ${title}`);
      if (error !== null) {
        process.exitCode = 1;
        console.log(`${stdout}${stderr}`.trimEnd());
      }
      resolve();
    });
  });
}
