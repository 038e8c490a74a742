// Reads odd files at one place that Mortise reads: a line of JSON for each, before it is read and after. `<place> <folder>`.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ODD_FILES, put } from './odd-files.mjs';

const [, , rowName, folder] = process.argv;
const server = (path) => import(`../../packages/server/build/${path}.js`);
const dotnet = (path) => import(`../../packages/dotnet/build/${path}.js`);
const quiet = () => {};
const fresh = () => mkdtempSync(join(folder, 'p-'));

/** What loading the settings says. */
async function settingsSay(at, options = {}) {
  const { loadSettings } = await server('settings/load');
  const input = { cwd: at, env: {}, userConfigDir: join(at, 'user'), ...options };
  try {
    return (await loadSettings(input)).warnings.join('\n');
  } catch (error) {
    return error.problems.map(({ message }) => message).join('\n');
  }
}

/** A log that keeps its lines. */
function keepingLog(lines) {
  const line = (message, fields) => lines.push(`${message} ${JSON.stringify(fields ?? {})}`);
  return { trace: quiet, debug: quiet, info: line, warn: line, error: line };
}

const pluginsSay = async (at, odd, path) => {
  await put(odd, join(at, path));
  const { findPlugins } = await server('plugins/find/discover-plugins');
  const { candidates, problems } = findPlugins(join(at, 'plugins'));
  return [...problems, ...candidates.flatMap((candidate) => candidate.problems)]
    .map(({ message }) => message)
    .join('\n');
};

/** `says`: a sentence is wanted for what is not a file. Each gives what was said. */
const ROWS = {
  config: {
    reports: true,
    async read(at, odd) {
      await put(odd, join(at, 'c.json'));
      return settingsSay(at, { configPath: 'c.json' });
    },
  },
  'config of a trusted folder': {
    reports: true,
    async read(at, odd) {
      await put(odd, join(at, 'appsettings.json'));
      const { createTrustStore } = await server('settings/trusted-config');
      createTrustStore(join(at, 'user')).trust(at);
      return settingsSay(at);
    },
  },
  'config of a folder that is not trusted': {
    async read(at, odd) {
      await put(odd, join(at, 'appsettings.json'));
      return settingsSay(at);
    },
  },
  'config of the user': {
    reports: true,
    async read(at, odd) {
      await put(odd, join(at, 'user/appsettings.json'));
      return settingsSay(at);
    },
  },
  'a file that a setting refers to': {
    reports: true,
    async read(at, odd) {
      await put(odd, join(at, 'secret'));
      writeFileSync(join(at, 'c.json'), JSON.stringify({ Plugins: { Config: { key: `$${'{file:secret}'}` } } }));
      return settingsSay(at, { configPath: 'c.json' });
    },
  },
  trust: {
    reports: true,
    async read(at, odd) {
      writeFileSync(join(at, 'appsettings.json'), '{"Log":{}}');
      const { createHash } = await import('node:crypto');
      const { realPath } = await server('util/ignore-os-errors');
      const name = createHash('sha256').update(realPath(at)).digest('hex');
      await put(odd, join(at, `user/trusted/${name}.json`));
      return settingsSay(at);
    },
  },
  'an argument of a command': {
    reports: true,
    async read(at, odd) {
      await put(odd, join(at, 'input.json'));
      const { createTextReader } = await server('cli/shared/read-text');
      return createTextReader(process.stdin)(join(at, 'input.json')).catch((error) => error.message);
    },
  },
  pins: {
    reports: true,
    async read(at, odd) {
      await put(odd, join(at, 'mortise.lock.json'));
      const { readPinFile } = await server('plugins/pins/pin-file');
      return readPinFile(join(at, 'mortise.lock.json')).problem?.message ?? '';
    },
  },
  'the file that pins are written to': {
    async read(at, odd) {
      await put(odd, join(at, 'mortise.lock.json.new'));
      const { updatePinFile } = await server('plugins/pins/write-pin-file');
      return (await updatePinFile(join(at, 'mortise.lock.json'), (pins) => pins)).problem?.message ?? '';
    },
  },
  'the remembered lists': {
    reports: true,
    async read(at, odd) {
      const { DefinitionCache } = await server('plugins/load/definition-cache');
      const { createHash } = await import('node:crypto');
      const digest = createHash('sha256').update(JSON.stringify('key')).digest('hex').slice(0, 16);
      await put(odd, join(at, `plugins-${digest}.json`));
      const lines = [];
      const options = { cacheDir: at, key: () => 'key', ownSettings: () => undefined, log: keepingLog(lines) };
      new DefinitionCache(options).find({ path: 'p' });
      return lines.join('\n');
    },
  },
  'a plugin that is a file': { reports: true, isPlugin: true, read: (at, odd) => pluginsSay(at, odd, 'plugins/p.mjs') },
  'a plugin in C#': { reports: true, isPlugin: true, read: (at, odd) => pluginsSay(at, odd, 'plugins/p.dll') },
  'package.json of a plugin': { reports: true, read: (at, odd) => pluginsSay(at, odd, 'plugins/p/package.json') },
  'the plugins folder': {
    reports: true,
    isFolder: true,
    read: (at, odd) => pluginsSay(at, odd, 'plugins'),
  },
  'what a plugin imports': {
    async read(at, odd) {
      await put(odd, join(at, 'helper.mjs'));
      writeFileSync(join(at, 'index.mjs'), "import './helper.mjs';");
      const { contentHash, fingerprint } = await server('plugins/load/fingerprint');
      return (await contentHash(fingerprint({ entry: join(at, 'index.mjs'), root: at }).files)).slice(0, 0);
    },
  },
  'the folder of locks': { isLock: true, isFolder: true, reports: true, read: (at, odd) => lockMessage(at, odd, '') },
  'a lock': { isLock: true, read: (at, odd) => lockMessage(at, odd, `${'0'.repeat(16)}.lock`) },
  'global.json': {
    reports: true,
    async read(at, odd) {
      await put(odd, join(at, 'global.json'));
      const { findGlobalJson } = await dotnet('project-files/global-json');
      return trying(() => findGlobalJson(at));
    },
  },
  'a solution': {
    reports: true,
    async read(at, odd) {
      await put(odd, join(at, 'a.sln'));
      const { readSolution } = await dotnet('project-files/solution-file');
      return trying(() => readSolution(join(at, 'a.sln')));
    },
  },
  'a project': {
    reports: true,
    async read(at, odd) {
      await put(odd, join(at, 'a.csproj'));
      const { readTextFile } = await dotnet('project-files/text-file');
      return readTextFile(join(at, 'a.csproj')).then(
        () => '',
        (error) => error.message,
      );
    },
  },
  'the files of a workspace': {
    async read(at, odd) {
      for (const name of ['a.csproj', '.gitignore', 'global.json', 'a.sln', 'Directory.Packages.props'])
        await put(odd, join(at, name));
      const { createWorkspaceReader } = await dotnet('analysis/workspace');
      return trying(() => createWorkspaceReader().read(at));
    },
  },
  'the versions of packages': {
    async read(at, odd) {
      await put(odd, join(at, 'a.csproj'));
      const { referencedPackages } = await dotnet('nuget/package-versions');
      return trying(() => referencedPackages(join(at, 'a.csproj')));
    },
  },
  'the templates of the CLI': {
    async read(at, odd) {
      await put(odd, join(at, '.templateengine/packages.json'));
      const { installedPackVersion, readTemplateCache } = await dotnet('sdk/template-cache');
      await installedPackVersion(at, 'x');
      await readTemplateCache(join(at, '.templateengine/packages.json'));
      return '';
    },
  },
};

function trying(work) {
  try {
    work();
    return '';
  } catch (error) {
    return error.message;
  }
}

async function lockMessage(at, odd, name) {
  const { FileLocks } = await dotnet('locks/file-locks');
  const locks = join(at, 'locks');
  if (name !== '') mkdirSync(locks, { mode: 0o700 });
  await put(odd, join(locks, name));
  const messages = [];
  const all = new FileLocks({ folder: locks, report: (message) => messages.push(message) });
  const targets = [{ scope: 'project', path: '/a.csproj' }];
  const request = { targets, operation: 'build', waitMs: 0, signal: new AbortController().signal };
  const answer = await all.acquire(request).catch((error) => ({ error }));
  if (answer.error) messages.push(answer.error.message);
  else if (answer.refused) messages.push('REFUSED');
  else await answer.acquired.release();
  return messages.join('\n');
}

if (rowName === undefined) {
  const rows = Object.entries(ROWS).map(([name, { read, ...traits }]) => ({ name, ...traits }));
  console.log(JSON.stringify({ rows, kinds: ODD_FILES.map(({ kind }) => kind) }));
} else {
  for (const odd of ODD_FILES) {
    const { kind, isFile = false, isAbsent = false } = odd;
    console.log(JSON.stringify({ begins: kind }));
    const startedAt = performance.now();
    const messages = await ROWS[rowName].read(fresh(), odd);
    console.log(JSON.stringify({ kind, isFile, isAbsent, messages, ms: performance.now() - startedAt }));
  }
  process.exit(0);
}
