// Builds the host of C# plugins into dotnet/dist/plugin-host, unless what is there was made of the same sources.
// Without a usable .NET SDK it says so and exits with 0, with --required with 1.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_SDK = 8;
const root = fileURLToPath(new URL('../dotnet/', import.meta.url));
const project = join(root, 'Mortise.PluginHost');
const sources = [
  'Directory.Build.props',
  'Directory.Packages.props',
  'McpServer.Plugin.Abstractions',
  'Mortise.PluginHost',
];
const output = join(root, 'dist', 'plugin-host');
const stamp = join(output, 'sources.sha256');

const isRequired = process.argv.includes('--required');
const hash = hashSources();
if (readStamp() !== hash) {
  const wrong = checkSdk() ?? build();
  if (wrong) {
    console.error(`The host of C# plugins was not built: ${wrong}`);
    process.exitCode = isRequired ? 1 : 0;
  }
}

function hashSources() {
  const digest = createHash('sha256');
  for (const file of sources.flatMap((source) => listFiles(join(root, source))).sort())
    digest.update(relative(root, file).replaceAll('\\', '/')).update('\0').update(readFileSync(file)).update('\0');
  return digest.digest('hex');
}

function listFiles(path) {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter(({ name }) => name !== 'bin' && name !== 'obj')
      .flatMap(({ name }) => listFiles(join(path, name)));
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path];
    throw error;
  }
}

function readStamp() {
  try {
    return readFileSync(stamp, 'utf8');
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

/** Builds in a folder of its own and puts the result in place at once: two that build at the same time do not meet. */
function build() {
  const work = join(root, 'dist', `.build-${process.pid}`);
  const made = join(work, 'plugin-host');
  try {
    const settings = ['--configuration', 'Release', '-p:RestoreLockedMode=true', '--disable-build-servers'];
    const built = dotnet('publish', project, '--output', made, '--artifacts-path', work, ...settings);
    if (built.status !== 0) return `dotnet publish failed.\n${built.stdout}${built.stderr}`;
    writeFileSync(join(made, 'sources.sha256'), hash);
    mkdirSync(join(root, 'dist'), { recursive: true });
    rmSync(output, { recursive: true, force: true });
    renameSync(made, output);
    return undefined;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function dotnet(...args) {
  return spawnSync('dotnet', args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, DOTNET_NOLOGO: '1', DOTNET_CLI_TELEMETRY_OPTOUT: '1' },
  });
}
