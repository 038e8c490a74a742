// Builds the host of C# plugins into packages/server/plugin-host and the project reader into
// packages/dotnet/project-reader, where they are packed with the packages, and with --fixtures the plugins of the tests
// into dotnet/dist, unless what is there was made of the same sources.
// Without a usable .NET SDK it says so and exits with 0, with --required with 1.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
const READER = {
  output: '../packages/dotnet/project-reader',
  title: 'The project reader',
  sources: [...shared.slice(0, 2), 'Mortise.ProjectReader'],
  command: ['publish', 'Mortise.ProjectReader', '-p:RestoreLockedMode=true'],
  made: 'publish/Mortise.ProjectReader/release',
};
const FIXTURES = {
  output: 'dist/fixtures',
  title: 'The plugins of the tests',
  sources: [...shared, 'fixtures'],
  command: ['build', 'fixtures/Fixtures.slnx'],
  made: 'bin',
};
const TEST_PLUGINS = {
  output: 'dist/test-plugins',
  title: 'The plugins of the tests',
  sources: [...HOST.sources, '../test/csharp-plugins'],
  command: ['build', '../test/csharp-plugins/Plugins.slnx', `-p:PluginHost=${join(root, HOST.output)}`],
  made: 'bin',
};

const builds = process.argv.includes('--fixtures') ? [HOST, READER, FIXTURES, TEST_PLUGINS] : [HOST, READER];
for (const target of builds) {
  const wrong = makeCurrent(target);
  if (wrong === undefined) continue;
  console.error(`${target.title} cannot be built: ${wrong}`);
  process.exitCode = process.argv.includes('--required') ? 1 : 0;
}

/** Says what is wrong, if anything is. */
function makeCurrent({ output: folder, sources, command, made }) {
  const output = join(root, folder);
  const sourcesHash = join(output, 'sources.sha256');
  const hash = hashOf(sources);
  if (readIfThere(sourcesHash) === hash) return undefined;
  const unusable = checkSdk();
  if (unusable) return unusable;
  // In a folder of its own, and then put in place at once: two that build at the same time do not meet.
  const work = join(root, 'dist', `.${basename(folder)}-${process.pid}`);
  try {
    const options = ['--configuration', 'Release', '--artifacts-path', work, '--disable-build-servers'];
    const built = dotnet(...command, ...options);
    if (built.status !== 0) return `dotnet ${command[0]} failed.\n${built.stdout}${built.stderr}`;
    writeFileSync(join(work, made, 'sources.sha256'), hash);
    rmSync(output, { recursive: true, force: true });
    renameSync(join(work, made), output);
    return undefined;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
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
  const env = { ...process.env, DOTNET_NOLOGO: '1', DOTNET_CLI_TELEMETRY_OPTOUT: '1' };
  return spawnSync('dotnet', args, { cwd: root, encoding: 'utf8', env });
}
