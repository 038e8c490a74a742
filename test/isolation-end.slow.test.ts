import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CAN_SEE_PROCESSES, processesOf } from './support/processes.js';
import { waitFor } from './support/wait-for.js';
import { BIN, createWorkplace, type Workplace } from './support/workplace.js';

/** What a tool of a plugin of the same name runs: each holds on to life in its own way. */
const TOOLS = {
  rests: `() => 'done'`,
  // It does not return to the event loop; the pauses leave the processors to others.
  loops: `() => { for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50); }`,
  blocks: `() => require('node:child_process').execSync('sleep 1000')`,
  ignores: `() => { for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {}); return new Promise(() => {}); }`,
  spawns: `() => { spawn('sleep', ['1000']); spawn('sh', ['-c', 'sleep 1000 & sleep 1000'], { stdio: 'ignore' }); return 'done'; }`,
  detaches: `() => { spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' }).unref(); return 'done'; }`,
  forgets: `() => { spawn('sleep', ['1000'], FORGETFUL).unref(); return 'done'; }`,
  threads: `() => new Promise((resolve) => {
    const { Worker } = require('node:worker_threads');
    const script = "const { spawn } = require('node:child_process'); const { parentPort, workerData } = require('node:worker_threads');" +
      "spawn('sleep', ['1000'], workerData).unref(); parentPort.postMessage('done'); setInterval(() => {}, 1000);";
    new Worker(script, { eval: true, workerData: FORGETFUL }).on('message', resolve);
  })`,
  exits: `() => { spawn('sleep', ['1000'], FORGETFUL).unref(); process.exit(1); }`,
};
const NAMES = Object.keys(TOOLS);
const PLUGINS = Object.fromEntries(
  Object.entries(TOOLS).map(([name, run]) => [
    `plugins/${name}.cjs`,
    `const { spawn } = require('node:child_process');
     const { HOME, PATH } = process.env;
     // Out of the group, and without the mark in its environment.
     const FORGETFUL = { detached: true, stdio: 'ignore', env: { HOME, PATH } };
     module.exports.register = (api) =>
       api.registerTool({ name: '${name}', description: 'd', inputSchema: { type: 'object' }, run: ${run} });`,
  ]),
);

/** Ways to end a server; each leaves nothing behind within so many milliseconds, on a machine with other work too. */
const EXIT_WAYS: { title: string; end(server: ChildProcess): void; limitMs: number }[] = [
  { title: 'SIGKILL', end: (server) => server.kill('SIGKILL'), limitMs: 15_000 },
  // Calls that are running have a grace of 2 s.
  { title: 'SIGTERM', end: (server) => server.kill('SIGTERM'), limitMs: 30_000 },
  { title: 'SIGINT', end: (server) => server.kill('SIGINT'), limitMs: 30_000 },
  // Requests that are running have 5 s to be answered, and then the grace.
  { title: 'the end of its input', end: (server) => server.stdin!.end(), limitMs: 60_000 },
];

describe.skipIf(!CAN_SEE_PROCESSES)('a server that ends', () => {
  it('leaves no process behind, however it ends', async () => {
    await Promise.all(EXIT_WAYS.map(checkExit));
  });
});

async function checkExit({ title, end, limitMs }: (typeof EXIT_WAYS)[number]): Promise<void> {
  const workplace = createWorkplace(PLUGINS);
  const server = await startBusy(workplace);
  onTestFinished(() => {
    for (const { pid } of processesOf(workplace)) process.kill(pid, 'SIGKILL');
  });
  end(server);
  await expect.poll(() => processesOf(workplace), { timeout: limitMs, message: title }).toEqual([]);
}

/** A server whose plugins all run, with all their children. */
async function startBusy(workplace: Workplace): Promise<ChildProcess> {
  const { config, env, folder } = workplace;
  const server = spawn(process.execPath, [BIN, 'serve', '--config', config], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  const send = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const answered = new Set<unknown>();
  createInterface({ input: server.stdout }).on('line', (line) => answered.add(JSON.parse(line).id));
  const clientInfo = { name: 'test', version: '1' };
  send({ id: 'open', method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  for (const name of NAMES) send({ id: name, method: 'tools/call', params: { name, arguments: {} } });
  const isBusy = (seen: { command: string }[]) =>
    ['rests', 'spawns', 'detaches', 'forgets', 'threads', 'exits'].every((id) => answered.has(id)) &&
    seen.filter(({ command }) => command.includes('plugin-worker.js')).length >= NAMES.length &&
    // What the one that exits has started is gone by then.
    seen.filter(({ command }) => command.startsWith('sleep 1000')).length === 7 &&
    seen.some(({ command }) => command.includes('reaper-main'));
  await waitFor(() => isBusy(processesOf(workplace)), { timeoutMs: 200_000 });
  return server;
}
