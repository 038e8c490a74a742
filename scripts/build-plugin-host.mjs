// Builds the host of C# plugins into packages/server/plugin-host and the process that reads code into packages/dotnet,
// where they are packed with the packages, and with --fixtures the plugins of the tests into dotnet/dist, unless what
// is there was made of the same sources.
// Without a usable .NET SDK it says so and exits with 0, with --required with 1.
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_SDK = 8;
const root = fileURLToPath(new URL('../dotnet/', import.meta.url));
const shared = ['Directory.Build.props', 'Directory.Packages.props', 'McpServer.Plugin.Abstractions'];

const MADE = new Set(['bin', 'obj', 'artifacts']);

/** What is built: `made` is the folder within a build's artifacts that becomes `output`; both beneath dotnet/. */
const HOST = {
  output: '../packages/server/plugin-host',
  title: 'The host of C# plugins',
  sources: [...shared, 'Mortise.PluginHost'],
  command: ['publish', 'Mortise.PluginHost', '-p:RestoreLockedMode=true'],
  made: 'publish/Mortise.PluginHost/release',
};
const DOTNET_HOST = {
  output: '../packages/dotnet/dotnet-host',
  title: 'The process that reads C# code',
  sources: [...shared.slice(0, 2), 'Mortise.DotnetHost'],
  command: ['publish', 'Mortise.DotnetHost', '-p:RestoreLockedMode=true'],
  made: 'publish/Mortise.DotnetHost/release',
};
const FIXTURES = {
  output: 'dist/fixtures',
  title: 'The plugins of the tests',
  sources: [...shared, 'fixtures'],
  command: ['build', 'fixtures/Fixtures.slnx', '-p:RunAnalyzers=false'],
  made: 'bin',
};
const TEST_PLUGINS = {
  output: 'dist/test-plugins',
  title: 'The plugins of the tests',
  sources: [...HOST.sources, '../test/csharp-plugins'],
  command: [
    ...['build', '../test/csharp-plugins/Plugins.slnx', '-p:RunAnalyzers=false'],
    `-p:PluginHost=${join(root, HOST.output)}`,
  ],
  made: 'bin',
};

/** One compiler for all projects, which ends with the builds, and no node of MSBuild besides its own process: a fifth of what a compiler each costs. */
const COMPILER = randomBytes(12).toString('hex');
const SERVERS = [`-p:SharedCompilationId=${COMPILER}`, '-p:UseSharedCompilation=true', '-m:1', '-nodeReuse:false'];

const LOCK = join(root, 'dist', '.building');
const PAUSE_MS = 100;

/** The `dotnet` CLI leaves empty folders in its temporary folder, so it gets this one, which is removed at the end. */
const temp = mkdtempSync(join(tmpdir(), 'mortise-build-'));

const targets = process.argv.includes('--fixtures') ? [HOST, DOTNET_HOST, FIXTURES, TEST_PLUGINS] : [HOST, DOTNET_HOST];
try {
  if (!targets.every(isCurrent)) makeAll();
} finally {
  rmSync(temp, { recursive: true, force: true });
}

function makeAll() {
  lock();
  try {
    for (const target of targets) makeCurrent(target);
    endCompiler();
  } finally {
    rmSync(LOCK, { force: true });
  }
}

/** Waits for another build of this folder, which leaves everything made. */
function lock() {
  mkdirSync(join(root, 'dist'), { recursive: true });
  for (;;) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (isRunning(Number(readIfThere(LOCK)))) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
      else rmSync(LOCK, { force: true });
    }
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function isCurrent({ output, sources }) {
  return readIfThere(join(root, output, 'sources.sha256')) === hashOf(sources);
}

function makeCurrent(target) {
  if (isCurrent(target)) return;
  const wrong = checkSdk() ?? build(target);
  if (wrong === undefined) return;
  console.error(`${target.title} cannot be built: ${wrong}`);
  process.exitCode = process.argv.includes('--required') ? 1 : 0;
}

/** Says what is wrong, if anything is. */
function build({ output, sources, command, made }) {
  // The build works in a folder of its own that is then renamed, so a reader never finds half of a result.
  const work = join(root, 'dist', `.${basename(output)}-${process.pid}`);
  try {
    const hash = hashOf(sources);
    const built = dotnet(...command, '--configuration', 'Release', '--artifacts-path', work, ...SERVERS);
    if (built.status !== 0) return `dotnet ${command[0]} failed.\n${built.stdout}${built.stderr}`;
    writeFileSync(join(work, made, 'sources.sha256'), hash);
    rmSync(join(root, output), { recursive: true, force: true });
    renameSync(join(work, made), join(root, output));
    return undefined;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** `dotnet build-server` ends compilers that others use, and not this one. Where there is no `dotnet`, there is none. */
function endCompiler() {
  const listed = dotnet('--list-sdks').stdout ?? '';
  const sdk = /^(\S+) \[(.+)\]$/m.exec(listed.trim().split('\n').at(-1));
  if (sdk) dotnet(join(sdk[2], sdk[1], 'Roslyn/bincore/VBCSCompiler.dll'), '-shutdown', `-pipename:${COMPILER}`);
}

function hashOf(sources) {
  const digest = createHash('sha256');
  for (const file of sources.flatMap((source) => listFiles(join(root, source))).sort())
    digest.update(relative(root, file).replaceAll('\\', '/')).update('\0').update(readFileSync(file)).update('\0');
  return digest.digest('hex');
}

function listFiles(path) {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter(({ name }) => !MADE.has(name))
      .flatMap(({ name }) => listFiles(join(path, name)));
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path];
    throw error;
  }
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function checkSdk() {
  const { status, stdout } = dotnet('--version');
  if (status !== 0) return `there is no .NET SDK on PATH; install .NET ${OLDEST_SDK} or newer.`;
  const version = stdout.trim();
  return Number.parseInt(version, 10) < OLDEST_SDK
    ? `the .NET SDK ${version} is too old; install .NET ${OLDEST_SDK} or newer.`
    : undefined;
}

function dotnet(...args) {
  const env = {
    ...process.env,
    DOTNET_NOLOGO: '1',
    DOTNET_CLI_TELEMETRY_OPTOUT: '1',
    TMPDIR: temp,
    TMP: temp,
    TEMP: temp,
  };
  return spawnSync('dotnet', args, { cwd: root, encoding: 'utf8', env });
}
