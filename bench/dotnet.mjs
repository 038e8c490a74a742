// The .NET tools beside the CLI that a user would run instead: medians of calls and commands taken in turn.
//   node bench/dotnet.mjs [--rounds <n>]
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, createWriteStream, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect } from './client/index.mjs';
import { stopAll } from './client/process.mjs';
import { SESSIONS } from './client/protocol.mjs';
import { median } from './stats.mjs';
import { createWorkplace } from './workplace.mjs';

const { rounds: roundsOption } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } }).values;
const ROUNDS = Number(roundsOption);
const LOG_BYTES = 50_000_000;
/** Calls before the first that counts: the server's code is compiled as it is used. */
const WARM_UP = 200;
/** Calls that evaluate, before the first that counts. */
const EVALUATION_WARM_UP = 30;
/** Of what takes a millisecond: the first ones after a command find the caches of the machine full of it. */
const CALLS_A_ROUND = 10;
/** Of what takes seconds. */
const LONG_ROUNDS = Math.max(3, Math.round(ROUNDS / 3));

/** For what is collected after an answer. */
const SETTLE_MS = 3000;
const PROJECT = (properties, items = '') =>
  `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>${properties}</PropertyGroup><ItemGroup>${items}</ItemGroup></Project>`;
const ONE = '<TargetFramework>net10.0</TargetFramework>';
const TWO = '<TargetFrameworks>net10.0;net8.0</TargetFrameworks>';
/** As many facts as Analyze wants of a project. */
const EVALUATION = [
  '-nologo',
  '-getProperty:TargetFramework,TargetFrameworks,OutputType,Nullable,LangVersion,ImplicitUsings,AssemblyName,RootNamespace',
  '-getItem:PackageReference,ProjectReference,Analyzer',
];
const workplace = createWorkplace();
const env = {
  ...workplace.env,
  HOME: process.env.HOME,
  DOTNET_CLI_UI_LANGUAGE: 'en',
  DOTNET_NOLOGO: '1',
  NO_COLOR: '1',
};
const rows = [];

try {
  await overhead();
  await questions();
  await firstEvaluations();
  await solutions();
  await workspace();
  await code();
  await edits();
  await longLog();
  for (const line of table(rows)) console.log(line);
} finally {
  await stopAll();
  workplace.remove();
}

async function start(dotnet = {}) {
  const command = workplace.mortise({ Plugins: { Enabled: false }, Dotnet: { Enabled: true, ...dotnet } });
  return connect({ ...command, env: { ...command.env, ...env } }, { version: SESSIONS });
}

async function call(client, name, args) {
  const { message, ms } = await client.request('tools/call', { name, arguments: args });
  if (message.error) throw new Error(JSON.stringify(message.error));
  return { ms, result: message.result };
}

/** One command, started as the server starts it: in a group of its own, its output read. */
async function spawned(program, args, cwd = workplace.folder()) {
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

/** Questions that start no process, beside the command that answers them. */
async function questions() {
  const folder = workplace.folder();
  execFileSync('dotnet', ['new', 'console', '-n', 'App', '-o', folder], { env, stdio: 'ignore' });
  const project = join(folder, 'App.csproj');
  const client = await start();
  const evaluated = ['msbuild', project, '-getProperty:TargetFramework,OutputType', '-getItem:PackageReference'];
  const QUESTIONS = [
    ['Version', 'dotnet_sdk', { action: 'Version' }, ['--version'], { atMost: 1 }],
    ['ListSdks', 'dotnet_sdk', { action: 'ListSdks' }, ['--list-sdks'], { atMost: 1 }],
    ['ListTemplates', 'dotnet_sdk', { action: 'ListTemplates' }, ['new', 'list'], { atMost: 1 }],
    ['Analyze, warm', 'dotnet_project', { action: 'Analyze', projectPath: project }, evaluated, { part: 0.15 }],
    [
      'GetProperty, warm',
      'dotnet_project',
      { action: 'GetProperty', project, propertyName: 'TargetFramework' },
      ['msbuild', project, '-getProperty:TargetFramework'],
      { part: 0.15 },
    ],
    [
      'package List, restored',
      'dotnet_package',
      { action: 'List', project },
      ['list', project, 'package', '--format', 'json', '--no-restore'],
      { part: 0.15 },
    ],
  ];
  for (const [name, tool, args, command, target] of QUESTIONS) {
    const first = await call(client, tool, args);
    if (first.result.isError) throw new Error(`${name}: ${first.result.content[0].text}`);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    for (let round = 0; round < (target.part ? EVALUATION_WARM_UP : WARM_UP); round++) await call(client, tool, args);
    const ours = [];
    const raw = [];
    for (let round = 0; round < ROUNDS; round++) {
      if (round % 3 === 0) raw.push(await spawned('dotnet', command, folder));
      for (let again = 0; again < CALLS_A_ROUND; again++) ours.push((await call(client, tool, args)).ms);
    }
    row(name, median(ours), median(raw), target);
  }
  await client.stop();
}

/** Projects that no one asked about before, each asked about by the server or by the CLI; both print the same facts. */
async function firstEvaluations() {
  const folder = workplace.folder();
  const client = await start();
  const project = (index) => {
    const own = join(folder, `P${index}`);
    mkdirSync(own);
    writeFileSync(join(own, 'Source.cs'), 'class Source { }');
    const file = join(own, 'P.csproj');
    writeFileSync(file, PROJECT(ONE));
    return file;
  };
  const ours = [];
  const raw = [];
  for (let round = -2; round < ROUNDS; round++) {
    const { ms } = await call(client, 'dotnet_project', { action: 'Analyze', projectPath: project(round * 2) });
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS / 2));
    const evaluation = project(round * 2 + 1);
    const alone = await spawned('dotnet', ['msbuild', evaluation, ...EVALUATION], join(evaluation, '..'));
    if (round < 0) continue;
    ours.push(ms);
    raw.push(alone);
  }
  await client.stop();
  row('Analyze, the first time', median(ours), median(raw), { more: 15 });
}

/** Solutions of fifty projects beside the command that evaluates one of the projects without frameworks. */
async function solutions() {
  const client = await start();
  const command = ['msbuild', join(workplace.folder(), 'P.csproj'), ...EVALUATION];
  writeFileSync(command[1], PROJECT(ONE));
  for (const [name, properties, bound] of [
    ['solution Analyze, 50 projects', ONE, 1.5],
    ['the same with two frameworks each', TWO, 2.5],
  ]) {
    const path = solution(workplace.folder(), 50, properties);
    const times = { ours: [], raw: [] };
    for (let round = -1; round < LONG_ROUNDS; round++) {
      const { ms, result } = await call(client, 'dotnet_solution', { action: 'Analyze', solution: path });
      if (result.isError) throw new Error(result.content[0].text);
      const alone = await spawned('dotnet', command);
      if (round < 0) continue;
      times.ours.push(ms);
      times.raw.push(alone);
    }
    timesRow(name, median(times.ours), median(times.raw), bound, 'one project');
  }
  await client.stop();
}

function solution(folder, count, properties) {
  const names = Array.from({ length: count }, (_, index) => `P${index}`);
  for (const [index, name] of names.entries()) {
    const reference = index === 0 ? '' : `<ProjectReference Include="../P${index - 1}/P${index - 1}.csproj" />`;
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, `${name}.csproj`), PROJECT(properties, reference));
    writeFileSync(join(folder, name, 'Source.cs'), 'class Source { }');
  }
  const path = join(folder, 'All.slnx');
  const projects = names.map((name) => `<Project Path="${name}/${name}.csproj" />`);
  writeFileSync(path, `<Solution>${projects.join('')}</Solution>`);
  return path;
}

/** The workspace of a hundred projects beside Analyze of its solution. */
async function workspace() {
  const folder = workplace.folder();
  const path = solution(folder, 100, ONE);
  const client = await start();
  const times = { ours: [], analyze: [] };
  for (let round = -1; round < LONG_ROUNDS; round++) {
    const analyzed = await call(client, 'dotnet_solution', { action: 'Analyze', solution: path });
    const { message, ms } = await client.request('resources/read', { uri: `dotnet://workspace/${folder}` });
    if (analyzed.result.isError || message.error) throw new Error(JSON.stringify(message.error ?? analyzed.result));
    const { data } = JSON.parse(message.result.contents[0].text);
    if (data.projects.length !== 100 || data.issues) throw new Error(JSON.stringify(data).slice(0, 1000));
    if (round < 0) continue;
    times.analyze.push(analyzed.ms);
    times.ours.push(ms);
  }
  await client.stop();
  timesRow('workspace of 100 projects beside Analyze', median(times.ours), median(times.analyze), 1.1);
}

/** Questions about C# code beside a build: of twenty projects with ten files each, and of one project of ten files. */
async function code() {
  const folder = workplace.folder();
  const path = solution(folder, 20, ONE);
  for (let index = 0; index < 20; index++) writeSources(join(folder, `P${index}`), index);
  await spawned('dotnet', ['build', path], folder);
  const times = { first: [], second: [], common: [], diagnostics: [], build: [], buildOfProject: [] };
  let memoryMb = 0;
  for (let round = 0; round < LONG_ROUNDS; round++) {
    times.build.push(await spawned('dotnet', ['build', path, '--no-restore'], folder));
    const client = await start();
    const ask = async (args) => {
      const { ms, result } = await call(client, 'dotnet_code', args);
      if (result.isError) throw new Error(result.content[0].text);
      return ms;
    };
    times.first.push(await ask({ action: 'References', symbol: 'C0x0', project: path }));
    times.second.push(await ask({ action: 'References', symbol: 'C7x3', project: path }));
    times.common.push(await ask({ action: 'References', symbol: 'C7x3.Count', project: path }));
    const file = join(folder, 'P12', 'C4.cs');
    await ask({ action: 'Diagnostics', file, project: path });
    writeFileSync(file, `${readFileSync(file, 'utf8')}// round ${round}\n`);
    times.diagnostics.push(await ask({ action: 'Diagnostics', file, project: path }));
    times.buildOfProject.push(await spawned('dotnet', ['build', join(folder, 'P12'), '--no-restore'], folder));
    memoryMb = Math.max(memoryMb, codeProcessMb());
    await client.stop();
  }
  const [first, build] = [median(times.first), median(times.build)];
  timesRow('first References, 20 projects, beside a build without changes', first, build, 1.5, 'build');
  row('References of another symbol', median(times.second), build, { atMost: 300 });
  row('the same of a member whose name all files have', median(times.common), build, { atMost: 300 });
  row('Diagnostics of a file after an edit', median(times.diagnostics), median(times.buildOfProject), { atMost: 500 });
  memoryRow('memory of the process that reads 20 projects, MB', memoryMb, 700);
  const client = await start();
  const args = { action: 'References', symbol: 'C0x1', project: join(folder, 'P0/P0.csproj') };
  rmSync(path);
  await call(client, 'dotnet_code', args);
  memoryRow('memory of the process that reads one project, MB', codeProcessMb(), 250);
  await client.stop();
}

/** Edits of C# code: a member renamed in twenty projects that all use it, and the fixes of an error in one of them. */
async function edits() {
  const folder = workplace.folder();
  const path = solution(folder, 20, ONE);
  for (let index = 0; index < 20; index++) {
    writeSources(join(folder, `P${index}`), index);
    const shared = index === 0 ? 'public class Shared { public int Size0 => 1; }\n' : '';
    const use = `public class Use${index} { public int Of(Shared shared) => shared.Size0; }\n`;
    writeFileSync(join(folder, `P${index}`, 'Use.cs'), `${shared}${use}`);
  }
  const broken = join(folder, 'P12', 'Broken.cs');
  writeFileSync(broken, 'public class Broken\n{\n    public StringBuilder Text { get; set; } = new();\n}\n');
  await spawned('dotnet', ['restore', path], folder);
  const client = await start();
  const ask = async (args) => {
    const { ms, result } = await call(client, 'dotnet_code', { ...args, project: path });
    if (result.isError) throw new Error(result.content[0].text);
    return { ms, data: result.structuredContent };
  };
  const times = { rename: [], fixes: [] };
  for (let round = -2; round < LONG_ROUNDS; round++) {
    const fixes = await ask({ action: 'Fixes', file: broken, line: 3, code: 'CS0246' });
    const renamed = { symbol: `Shared.Size${round + 2}`, newName: `Size${round + 3}`, apply: true };
    const rename = await ask({ action: 'Rename', ...renamed });
    if (fixes.data.fixes.length === 0) throw new Error('There was no fix');
    if (rename.data.changes.length !== 20) throw new Error(`Rename changed ${rename.data.changes.length} files`);
    if (round < 0) continue;
    times.fixes.push(fixes.ms);
    times.rename.push(rename.ms);
  }
  await client.stop();
  limitRow('Rename over 20 projects, warm', median(times.rename), 2000);
  limitRow('Fixes of a place, warm', median(times.fixes), 500);
}

function writeSources(folder, index) {
  for (let file = 0; file < 10; file++) {
    const uses = [`C${index}x${(file + 1) % 10}`, `C${Math.max(0, index - 1)}x${file}`];
    const members = Array.from(
      { length: 20 },
      (_, member) => `    public int M${member}(${uses[member % 2]} other) => other.Count + ${member};\n`,
    );
    writeFileSync(
      join(folder, `C${file}.cs`),
      `public class C${index}x${file}\n{\n    public int Count { get; set; }\n${members.join('')}}\n`,
    );
  }
}

/** Resident memory of the process that reads code; 0 where the system has no /proc. */
function codeProcessMb() {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const environ = readProc(pid, 'environ');
    if (!readProc(pid, 'cmdline').includes('Mortise.DotnetHost.dll') || !environ.includes(workplace.env.HOME)) continue;
    return Number(/VmRSS:\s+(\d+)/.exec(readProc(pid, 'status'))?.[1] ?? 0) / 1024;
  }
  return 0;
}

function readProc(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/** A failed build whose log has 50 MB, beside writing and reading that log. */
async function longLog() {
  const folder = workplace.folder();
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

/** @param target at most so many milliseconds, so many more than the CLI, or such a part of its time */
function row(name, ours, raw, { atMost, more, part }) {
  const [value, limit, bound] =
    part !== undefined
      ? [ours / raw, part, `≤ ${part}×`]
      : more !== undefined
        ? [ours - raw, more, `≤ ${more} ms more`]
        : [ours, atMost, `≤ ${atMost} ms`];
  const verdict = value <= limit ? 'ok' : 'MISSED';
  rows.push([name, ours.toFixed(2), raw.toFixed(2), `${(ours / raw).toFixed(3)}×`, `${bound} ${verdict}`]);
}

/** Of what the CLI has no command for. */
function limitRow(name, ms, bound) {
  rows.push([name, ms.toFixed(2), '', '', `≤ ${bound} ms ${ms <= bound ? 'ok' : 'MISSED'}`]);
}

function memoryRow(name, mb, bound) {
  rows.push([name, mb.toFixed(0), '', '', `≤ ${bound} MB ${mb <= bound ? 'ok' : 'MISSED'}`]);
}

/** How many times the one it takes; both by the server unless `of` says what the other is. */
function timesRow(name, many, one, bound, of = 'one') {
  const ratio = many / one;
  const verdict = ratio <= bound ? 'ok' : 'MISSED';
  rows.push([name, many.toFixed(2), `${one.toFixed(2)} (${of})`, `${ratio.toFixed(2)}×`, `≤ ${bound}× ${verdict}`]);
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
