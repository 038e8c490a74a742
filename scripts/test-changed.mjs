// npm run test:changed [-- <commit>]: runs the tests of the fast tier that the changes since that commit touch, uncommitted ones
// included; by default since origin/main.
//
// A test is touched by each module that it imports, directly or through others. A test that starts a bundle is touched by all sources of
// that bundle. Any other file touches the tests that name it or its folder, and those below WHOLE_TIER touch all tests.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { TESTED_SOURCES } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Module that starts a bundle → packages whose sources are in it. */
const STARTED_BUNDLES = {
  'test/support/workplace.ts': ['plugin', 'redact', 'mcp', 'process', 'server', 'create-mortise-plugin'],
  'test/dotnet/sdk-server.ts': ['dotnet', 'process'],
  'test/dotnet/stand-in.ts': ['dotnet', 'process'],
  'packages/dotnet/test/sdk.ts': ['dotnet', 'process'],
  'test/support/browser.ts': ['workbench'],
};
const WHOLE_TIER =
  /^(?:vitest\.config\.ts|package-lock\.json|tsconfig|scripts\/(?:bundle|compile)|test\/support\/(?:setup|run-folder|after-file))/;

const since = process.argv[2] ?? 'origin/main';
const changed = changedFiles(since);
const tests = await touchedTests(changed);
console.log(`${changed.length} files changed since ${since}; they touch ${tests.length} files of tests.`);
if (tests.length > 0) {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'fast', ...tests];
  process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

function changedFiles(commit) {
  try {
    const base = git('merge-base', commit, 'HEAD').trim();
    const listed = git('diff', '--name-only', base) + git('ls-files', '--others', '--exclude-standard');
    return [...new Set(listed.split('\n').filter(Boolean))];
  } catch {
    console.error(`Git has no commit ${commit}. Name one: npm run test:changed -- <commit>`);
    return process.exit(2);
  }
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

async function touchedTests(files) {
  const all = listTests();
  if (files.some((file) => WHOLE_TIER.test(file))) return all;
  const importsOf = await readImports(all);
  const names = files.filter((file) => !importsOf.has(file)).flatMap(namesOf);
  return all.filter((test) => {
    const modules = modulesOf(test, importsOf);
    const packages = [...modules].flatMap((module) => STARTED_BUNDLES[module] ?? []);
    const isTouchedBy = (file) =>
      modules.has(file) || packages.some((name) => file.startsWith(`packages/${name}/src/`));
    return files.some(isTouchedBy) || (names.length > 0 && [...modules].some((module) => mentions(module, names)));
  });
}

function listTests() {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/test`);
  const folders = ['test', 'examples/test', ...packages].filter((folder) => existsSync(join(root, folder)));
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  return files.map((file) => file.replaceAll('\\', '/')).filter((file) => /(?<!\.slow)\.test\.ts$/.test(file));
}

/** Module → the modules of this repository that it imports. */
async function readImports(tests) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: tests,
    alias: TESTED_SOURCES,
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: 'out',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const own = Object.entries(metafile.inputs);
  return new Map(
    own.map(([file, { imports }]) => [file, imports.filter((it) => !it.external).map(({ path }) => path)]),
  );
}

function modulesOf(test, importsOf) {
  const modules = new Set([test]);
  for (const module of modules) for (const path of importsOf.get(module) ?? []) modules.add(path);
  return modules;
}

/** How a test names a file that it does not import: by its name, or by a folder that it reads. */
function namesOf(file) {
  const folder = dirname(file);
  return [
    `/${basename(file)}'`,
    `'${basename(file)}'`,
    ...(folder === '.' ? [] : [`'${folder}'`, `'../${folder}`, `/${folder}'`]),
  ];
}

function mentions(module, names) {
  const text = readFileSync(join(root, module), 'utf8');
  return names.some((name) => text.includes(name));
}
