// The official conformance runner against the real server over HTTP, whose fixtures are the plugins beside this file:
//   node test/conformance/run.mjs [revision...]
// Exit code 0: every required scenario passed, without failures and warnings. 1: one did not, or the run itself went
// wrong. 3: the runner could not be fetched, so nothing is known.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const RUNNER = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const REVISIONS = ['2025-11-25', '2026-07-28'];
/** Scenarios that the runner does not score, and Mortise passes. */
const ALSO_REQUIRED = {
  '2025-11-25': ['json-schema-2020-12', 'server-session-lifecycle', 'server-sse-polling'],
  '2026-07-28': [
    'json-schema-2020-12',
    'http-custom-header-server-validation',
    'http-header-validation',
    'tasks-lifecycle',
    'tasks-capability-negotiation',
    'tasks-wire-fields',
    'tasks-request-state-removal',
    'tasks-mrtr-input',
    'tasks-request-headers',
    'tasks-dispatch-and-envelope',
    'tasks-status-notifications',
    'tasks-required-task-error',
    'tasks-mrtr-composition',
  ],
};
/** Scenarios in which the runner does not check anything yet. */
const WITHOUT_CHECKS = ['tasks-status-notifications'];
/** Tools that take longer are tasks (plugins/tasks.ts). */
const TASK_AFTER_MS = 600;
const NOT_FETCHED = 3;
const OFFLINE = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|E50\d)\b/;

const isWindows = process.platform === 'win32';
const isNewNode = Number(process.versions.node.split('.')[0]) >= 22;
/** The runner needs Node 22. */
const PACKAGES = [...(isNewNode ? [] : ['--package=node@24']), `--package=${RUNNER}`];

/** A busy machine loads plugins slowly. */
const PATIENCE = { Plugins__StartWaitMs: '240000', Plugins__LoadTimeoutMs: '240000' };
const BIN = fileURLToPath(new URL('../../packages/server/bin/mortise.mjs', import.meta.url));
const PLUGINS = fileURLToPath(new URL('plugins', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'mortise-conformance-'));
/** What `fetchRunner` found. */
let fetched;

const isFine = ({ status }) => status !== 'FAILURE' && status !== 'WARNING';
const isPassed = (scenario, checks = []) =>
  checks.every(isFine) && (WITHOUT_CHECKS.includes(scenario) || checks.some(({ status }) => status === 'SUCCESS'));

process.once('SIGTERM', () => process.exit(1));
try {
  process.exitCode = await run(process.argv.length > 2 ? process.argv.slice(2) : REVISIONS);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function run(revisions) {
  fetched = await fetchRunner();
  if (fetched.code !== 0) {
    console.error(`${RUNNER} could not be fetched:\n${fetched.output}`);
    return OFFLINE.test(fetched.output) ? NOT_FETCHED : 1;
  }
  console.log(`suite: ${RUNNER}`);
  const server = await startServer();
  try {
    await greet(server.url);
    let failed = 0;
    for (const revision of revisions) failed += (await runRevision(revision, server.url)) ? 0 : 1;
    return failed === 0 ? 0 : 1;
  } finally {
    await server.stop();
  }
}

/** Calls a tool of plugins/tasks.ts: the first call of a plugin starts its process, and could take so long that it is a task. */
async function greet(url) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'greet', arguments: { name: 'first' }, _meta: meta };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'greet',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  if (!response.ok) throw new Error(`The first call failed: ${await response.text()}`);
}

/** Whether every required scenario passed; prints what did not. */
async function runRevision(revision, url) {
  const startedAt = Date.now();
  const required = [...(await requiredScenarios(revision)), ...(ALSO_REQUIRED[revision] ?? [])];
  const { output } = await runner(['server', '--url', url, '--requirements', revision, '--output-dir', revision]);
  const ran = readResults(join(folder, revision));
  const missing = required.filter((scenario) => !ran.has(scenario));
  const passed = required.filter((scenario) => isPassed(scenario, ran.get(scenario)));
  const optional = [...ran].filter(([scenario]) => !required.includes(scenario));
  const checks = required.flatMap((scenario) => ran.get(scenario) ?? []);

  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  const count = (status) => checks.filter((check) => check.status === status).length;
  console.log(
    `${revision}: ${passed.length} of ${required.length} required scenarios passed; of their checks ` +
      `${count('SUCCESS')} succeeded, ${count('FAILURE')} failed, ${count('WARNING')} warned (${seconds} s)`,
  );
  for (const scenario of missing) console.log(`  ✗ ${scenario}: it was not run\n${output}`);
  for (const scenario of required) printFaults(scenario, ran.get(scenario) ?? []);
  if (optional.length > 0) console.log(`  not scored: ${optional.map(verdict).join(', ')}`);
  return required.length > 0 && passed.length === required.length;
}

function verdict([scenario, checks]) {
  return `${isPassed(scenario, checks) ? '✓' : '✗'} ${scenario}`;
}

function printFaults(scenario, checks) {
  for (const { id, status, errorMessage, description } of checks.filter((check) => !isFine(check))) {
    console.log(`  ✗ ${scenario}: ${status} ${id}: ${errorMessage ?? description}`);
  }
}

/** The runner's own list: its first heading is about servers. */
async function requiredScenarios(revision) {
  const { code, output } = await runner(['list', '--requirements', revision]);
  const [, list] = /^Server scenarios[^\n]*\n((?: +- .+\n)+)/m.exec(output) ?? [];
  if (code !== 0 || list === undefined) throw new Error(`The runner lists no requirements of ${revision}:\n${output}`);
  return [...list.matchAll(/- (\S+)/g)].map(([, scenario]) => scenario);
}

/** Scenario → checks. The folders are named `server-<scenario>-<time>`. */
function readResults(results) {
  return new Map(
    readdirSync(results).map((name) => [
      name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
      JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8')),
    ]),
  );
}

/** Runs the runner to its end. */
function runner(args) {
  return runToEnd('conformance', args, fetched.env);
}

/** Has npx install the runner, and sees in what environment it finds it: each further run of npx would take a second. */
async function fetchRunner() {
  const show = ['--yes', ...PACKAGES, '--', 'node', '-p', 'process.env.PATH'];
  const { code, output, stdout } = await runToEnd('npx', show, process.env);
  return { code, output, env: { ...process.env, PATH: stdout.trim() } };
}

/** Runs a program of npm to its end in the temporary folder. */
async function runToEnd(name, args, env) {
  const child = spawn(isWindows ? `${name}.cmd` : name, args, {
    cwd: folder,
    env,
    shell: isWindows,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', output: '' };
  child.stderr.setEncoding('utf8').on('data', (text) => {
    written.output += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text) => {
    written.output += text;
    written.stdout += text;
  });
  const [code] = await once(child, 'close');
  return { code, ...written };
}

/** The server on a free port, with a configuration and a home of its own. @throws Error with its log when it does not come up */
async function startServer() {
  const home = join(folder, 'home');
  mkdirSync(home);
  const config = join(folder, 'appsettings.json');
  writeFileSync(
    config,
    JSON.stringify({
      Plugins: { Directory: PLUGINS },
      Dotnet: { Enabled: false },
      Http: { PollAfterMs: 2_000 },
      Tasks: { AfterMs: TASK_AFTER_MS },
    }),
  );
  const child = spawn(process.execPath, [BIN, 'serve', '--http', '--port', '0', '--config', config], {
    env: { ...process.env, HOME: home, USERPROFILE: home, APPDATA: home, ...PATIENCE },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  process.once('exit', () => child.kill());
  const ended = once(child, 'close');
  const url = await new Promise((resolve, reject) => {
    const log = [];
    createInterface({ input: child.stderr }).on('line', (line) => {
      log.push(line);
      const [found] = /http:\/\/[^\s"]+\/mcp/.exec(line) ?? [];
      if (found) resolve(found);
    });
    child.once('close', (code) => reject(new Error(`The server ended with ${code}:\n${log.join('\n')}`)));
  });
  return {
    url,
    async stop() {
      child.kill('SIGINT');
      await ended;
    },
  };
}
