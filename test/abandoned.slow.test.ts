import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { connect } from './support/clients.js';
import { BIN, createWorkplace } from './support/workplace.js';

/** Starts the server, and a process that holds the server's input open; prints the ids of both when the server serves. */
const LAUNCHER = `
import { spawn } from 'node:child_process';
const server = spawn(process.execPath, process.argv.slice(2), { stdio: ['pipe', 'ignore', 'pipe'] });
const wait = 'setTimeout(() => {}, 300_000)';
const holder = spawn(process.execPath, ['-e', wait], { stdio: ['ignore', 'ignore', 'ignore', server.stdin] });
server.stderr.once('data', () => console.log(server.pid + ' ' + holder.pid));
setTimeout(() => {}, 300_000);
`;

/** It loads once the file is gone. */
const waitsFor = (file: string) => `
import { existsSync } from 'node:fs';
while (existsSync(${JSON.stringify(file)}));
export function register(api) {
  api.registerTool({ name: 'late', description: 'd', inputSchema: { type: 'object' }, run: () => 'here' });
}`;

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const firstLine = async (child: ChildProcess): Promise<string> => {
  for await (const line of createInterface({ input: child.stdout! })) return line;
  throw new Error('the launcher ended without a line');
};

// On Windows a process does not learn that its parent has ended.
describe.skipIf(process.platform === 'win32')('a client that was killed', () => {
  it('leaves no server, although another process holds the input of the server open', async ({ onTestFinished }) => {
    const { write, config, env, folder } = createWorkplace({}, {}, onTestFinished);
    const launcher = spawn(process.execPath, [write('launcher.mjs', LAUNCHER), BIN, 'serve', '--config', config], {
      ...{ cwd: folder, env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [server = 0, holder = 0] = (await firstLine(launcher)).split(' ').map(Number);
    onTestFinished(() => {
      for (const pid of [server, holder]) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    });
    launcher.kill('SIGKILL');
    // It looks every 5 s, and gives the client 30 s to answer.
    await expect.poll(() => isRunning(server), { timeout: 90_000, interval: 500 }).toBe(false);
    expect(isRunning(holder)).toBe(true);
  });
});

describe('a plugin that took too long to load', () => {
  it('is loaded again after a pause, without a call', async ({ onTestFinished }) => {
    const workplace = createWorkplace(
      {},
      { Plugins: { Directory: 'plugins', LoadTimeoutMs: 1_000, StartWaitMs: 0 } },
      onTestFinished,
    );
    const slow = workplace.write('slow', '');
    workplace.write('plugins/late.mjs', waitsFor(slow));
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
    const plugins = async () => {
      const { contents } = await client.readResource({ uri: 'mortise://plugins' });
      return JSON.stringify(contents);
    };
    await expect.poll(plugins, { timeout: 60_000 }).toContain('PLUGIN_LOAD_TIMEOUT');
    rmSync(slow);
    const tools = async () => (await client.listTools()).tools.map(({ name }) => name);
    await expect.poll(tools, { timeout: 60_000 }).toContain('late');
    expect(await plugins()).not.toContain('PLUGIN_LOAD_TIMEOUT');
  });
});
