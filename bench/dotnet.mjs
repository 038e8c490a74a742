// The .NET tools beside the CLI that a user would run instead: medians of calls and commands taken in turn.
//   node bench/dotnet.mjs [--rounds <n>]
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect } from './client/index.mjs';
import { stopAll } from './client/process.mjs';
import { SESSIONS } from './client/protocol.mjs';
import { median } from './stats.mjs';
import { createWorkplace } from './workplace.mjs';

const { rounds: given } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } }).values;
const ROUNDS = Number(given);
const LOG_BYTES = 50_000_000;

const place = createWorkplace();
const env = { ...place.env, HOME: process.env.HOME, DOTNET_CLI_UI_LANGUAGE: 'en', DOTNET_NOLOGO: '1', NO_COLOR: '1' };
const rows = [];

try {
  await overhead();
  await questions();
  await longLog();
  for (const line of table(rows)) console.log(line);
} finally {
  await stopAll();
  place.remove();
}

async function start(dotnet = {}) {
  const command = place.mortise({ Plugins: { Enabled: false }, Dotnet: { Enabled: true, ...dotnet } });
  return connect({ ...command, env: { ...command.env, ...env } }, { version: SESSIONS });
}

async function call(client, name, args) {
  const { message, ms } = await client.request('tools/call', { name, arguments: args });
  if (message.error) throw new Error(JSON.stringify(message.error));
  return { ms, result: message.result };
}

/** One command, started as the server starts it: in a group of its own, its output read. */
async function spawned(program, args, cwd = place.folder()) {
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, 'close');
  return performance.now() - startedAt;
}

/** From tools/call to the child's start and from its exit to the response: what is left when the child does nothing. */
async function overhead() {
  const client = await start({ Path: '/bin/true' });
  const ours = [];
  const raw = [];
  for (let round = -3; round < ROUNDS * 4; round++) {
    const { ms } = await call(client, 'dotnet_help', { command: 'build' });
    const alone = await spawned('/bin/true', ['build', '--help']);
    if (round >= 0) {
      ours.push(ms);
      raw.push(alone);
    }
  }
  await client.stop();
  row('a command that does nothing', median(ours), median(raw), { more: 15 });
}

/** Questions that need no process, beside the command that answers them. */
async function questions() {
  const folder = place.folder();
  execFileSync('dotnet', ['new', 'console', '-n', 'App', '-o', folder], { env, stdio: 'ignore' });
  const project = join(folder, 'App.csproj');
  const client = await start();
  const evaluated = ['msbuild', project, '-getProperty:TargetFramework,OutputType', '-getItem:PackageReference'];
  const QUESTIONS = [
    ['Version', 'dotnet_sdk', { action: 'Version' }, ['--version'], { atMost: 1 }],
    ['ListSdks', 'dotnet_sdk', { action: 'ListSdks' }, ['--list-sdks'], { atMost: 1 }],
    ['ListTemplates', 'dotnet_sdk', { action: 'ListTemplates' }, ['new', 'list'], { atMost: 1 }],
    [
      'Analyze, nothing changed',
      'dotnet_project',
      { action: 'Analyze', projectPath: project },
      evaluated,
      { atMost: 5 },
    ],
    [
      'package List, restored',
      'dotnet_package',
      { action: 'List', project },
      ['list', project, 'package', '--format', 'json', '--no-restore'],
      { atMost: 20 },
    ],
  ];
  for (const [name, tool, args, command, target] of QUESTIONS) {
    const first = await call(client, tool, args);
    if (first.result.isError) throw new Error(`${name}: ${first.result.content[0].text}`);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const ours = [];
    const raw = [];
    for (let round = 0; round < ROUNDS; round++) {
      if (round % 3 === 0) raw.push(await spawned('dotnet', command, folder));
      ours.push((await call(client, tool, args)).ms);
    }
    row(name, median(ours), median(raw), target);
  }
  await client.stop();
}

/** A failed build whose log has 50 MB, beside writing and reading that log. */
async function longLog() {
  const folder = place.folder();
  const log = join(folder, 'build.log');
  const stream = createWriteStream(log);
  for (let line = 0, bytes = 0; bytes < LOG_BYTES; line++) {
    const text = `  Project${line % 50} -> /src/Project${line % 50}/bin/Debug/net10.0/Project${line % 50}.dll with Server=db;Password=hunter2; and some more words of a log\n`;
    bytes += text.length;
    if (!stream.write(text)) await once(stream, 'drain');
  }
  stream.end(
    '/src/A.cs(1,2): error CS1002: ; expected [/src/A.csproj]\nBuild FAILED.\n    0 Warning(s)\n    1 Error(s)\n',
  );
  await once(stream, 'close');
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const program = join(bin, 'dotnet');
  writeFileSync(program, `#!/bin/sh\ncat ${log}\nexit 1\n`);
  chmodSync(program, 0o755);
  const client = await start({ Path: program });
  const { ms, result } = await call(client, 'dotnet_project', { action: 'Build', project: 'a.csproj' });
  if (!JSON.stringify(result).includes('CS1002')) throw new Error('The error of the log was not found');
  const alone = await spawned(program, []);
  const rssMb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${client.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  row('a build log of 50 MB, read and redacted', ms, alone, { more: 2000 });
  rows.push(['most memory of the server meanwhile, MB', rssMb.toFixed(0), '', '', '']);
  await client.stop();
  rmSync(log);
}

function row(name, ours, raw, { atMost, more }) {
  const value = more === undefined ? ours : ours - raw;
  const bound = more === undefined ? `≤ ${atMost} ms` : `≤ ${more} ms more`;
  const verdict = value <= (atMost ?? more) ? 'ok' : 'MISSED';
  rows.push([name, ours.toFixed(2), raw.toFixed(2), `${(ours / raw).toFixed(3)}×`, `${bound} ${verdict}`]);
}

function table(cells) {
  const all = [['Measure', 'Mortise, ms', 'dotnet itself, ms', 'Ratio', 'Target'], ...cells];
  const widths = all[0].map((_, column) => Math.max(...all.map((line) => line[column].length)));
  return all.map((line) =>
    line
      .map((text, column) => text.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
}
