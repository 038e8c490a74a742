// npm run check: types, type tests, lint and format, order of folders, citations and links, phrases, names of files, generated files. One command, the same in CI.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { GENERATORS } from './generators.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url));

const steps = [
  ['types', [bin('typescript/bin/tsc'), '-b']],
  ['types of the plugin contract', [bin('typescript/bin/tsc'), '-p', 'packages/plugin/test-d']],
  ['types of MCP against the official SDK', [bin('typescript/bin/tsc'), '-p', 'packages/mcp/test-d']],
  ['types of the workbench page', [bin('typescript/bin/tsc'), '-p', 'packages/workbench']],
  ['types of the tests', [bin('typescript/bin/tsc'), '-p', 'tsconfig.test.json']],
  ['lint and format', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']],
  ['order of folders, cycles, names of files', ['scripts/check-imports.mjs']],
  ['citations of the specification, links of the docs', ['scripts/check-citations.mjs']],
  ['phrases that are always wrong', ['scripts/check-phrases.mjs']],
  ['names of files in comments and pages', ['scripts/check-file-names.mjs']],
  ...GENERATORS.map(([title, script]) => [title, [script, '--check']]),
];

let failed = 0;
for (const [title, args] of steps) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${title}`);
  if (status === 0) continue;
  failed += 1;
  console.log(`${stdout}${stderr}`.trimEnd());
}
process.exitCode = failed === 0 ? 0 : 1;
