import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../bench/client/index.mjs';
import { SESSIONS } from '../../bench/client/protocol.mjs';
import { createWorkplace } from '../../bench/workplace.mjs';
import { processIds, procStat, readProc } from '../../packages/process/build/proc.js';

const MOUNTED = new URL('mounted-server.mjs', import.meta.url).pathname;
const PLUGIN = `
import { spawn } from 'node:child_process';
export function register(api) {
  spawn('sleep', ['1000'], { stdio: 'ignore' });
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
  api.registerTool({ name: 'echo', description: 'd', inputSchema, run: ({ text }) => text });
  api.registerTool({ name: 'slow', description: 'd', inputSchema, run: async ({ text }) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return text;
  } });
}`;
/** Builds without an SDK, and does not come to an end. */
const PROJECT = `<Project DefaultTargets="Build">
  <Target Name="Restore" />
  <Target Name="Build"><Exec Command="sleep 1000" /></Target>
</Project>`;

/** How the processes of a server are told apart, by their command lines. */
const KINDS = {
  plugin: /plugin-worker\.js/,
  reaper: /reaper-main\.cjs/,
  mounted: /mounted-server\.mjs/,
  dotnet: /^(?:\S*\/)?dotnet build/,
};

/** A folder on which servers are started one after another; what one leaves behind is what the next finds. */
export function createKilledServers({ withDotnet }) {
  const workplace = createWorkplace();
  const command = workplace.mortise({
    Plugins: { Directory: 'plugins', McpServers: { m: { command: process.execPath, args: [MOUNTED] } } },
    Audit: { File: 'audit.jsonl', Arguments: 'redacted' },
    Dotnet: { Enabled: withDotnet },
  });
  const runtime = workplace.folder();
  command.env = { ...process.env, ...command.env, XDG_RUNTIME_DIR: runtime };
  mkdirSync(join(command.cwd, 'plugins'));
  writeFileSync(join(command.cwd, 'plugins/p.mjs'), PLUGIN);
  writeFileSync(join(command.cwd, 'slow.proj'), PROJECT);
  const home = `HOME=${command.env.HOME}\0`;

  /** All processes that were started on this folder, with their kind if it has a name. */
  function processes() {
    return processIds().flatMap((pid) => {
      if (!readProc(pid, 'environ').includes(home) || procStat(pid)?.isZombie !== false) return [];
      const line = readProc(pid, 'cmdline').replaceAll('\0', ' ').trim();
      const kind = Object.keys(KINDS).find((name) => KINDS[name].test(line));
      return line === '' ? [] : [{ pid, kind, line }];
    });
  }

  return {
    processes,
    start: () => connect(command, { version: SESSIONS }),
    remove: workplace.remove,
    home: command.env.HOME,
    lockFolder: join(runtime, 'mortise/locks'),
    auditFile: join(command.cwd, 'audit.jsonl'),
    /** What is left of the processes after some time. */
    async left(withinMs) {
      const deadline = performance.now() + withinMs;
      while (processes().length > 0 && performance.now() < deadline) await sleep(50);
      return processes().map(({ line }) => line);
    },
    /** The files that are not JSON as a whole, or of which a line is not, though they have a name that says so. */
    halfWritten: () => jsonFiles(command.env.HOME).filter((file) => !isWhole(file)),
    /** The texts of the calls in the present file of the audit and in the one before it. */
    audited() {
      const files = jsonFiles(command.cwd).filter((file) => basename(file).startsWith('audit'));
      const latest = files.sort((one, other) => changedAt(one) - changedAt(other)).slice(-2);
      const lines = latest.flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'));
      return new Set(lines.map((line) => JSON.parse(line).redactedArguments?.text));
    },
    /** The locks whose owner has ended. */
    staleLocks() {
      const names = readdirSync(join(runtime, 'mortise/locks'), { withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );
      return names.map(({ name }) => name).filter((name) => !name.endsWith('.draft'));
    },
  };
}

const jsonFiles = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ['.json', '.jsonl'].includes(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));

const changedAt = (file) => statSync(file).mtimeMs;

function isWhole(file) {
  try {
    const text = readFileSync(file, 'utf8');
    for (const part of file.endsWith('l') ? text.trimEnd().split('\n') : [text]) JSON.parse(part);
    return true;
  } catch (error) {
    // It was replaced while it was looked at.
    return error.code === 'ENOENT';
  }
}
