import type { RegisterApi } from '@mortise/plugin';
import { defaultFolder, folderWithinRoots } from '../actions/call-paths.js';
import { frameworkCatalog } from '../project-files/frameworks.js';
import type { CachedQuery } from '../sdk/cached-query.js';
import type { Sdk } from '../sdk/sdk-info.js';
import type { Services } from '../services.js';
import { readWorkspace } from './read-workspace.js';

/** The maximum number of workspace folders that are checked for changes. The most recently read ones are kept. */
const MAX_WATCHED = 10;
const JSON_TYPE = 'application/json';

/** Registers the resources and notifies subscribers of changes (docs/spec/dotnet-resources.md#resources). */
export function registerResources(api: RegisterApi, services: Services): void {
  registerSdk(api, services);
  announceChanges(api, services, registerWorkspaces(api, services));
}

const json = async (data: object | Promise<object>) => ({
  text: JSON.stringify(await data, null, 2),
  mimeType: JSON_TYPE,
});

function registerSdk(api: RegisterApi, { sdk, settings }: Services): void {
  const register = (name: string, title: string, description: string, make: () => Promise<object>) =>
    api.registerResource({
      uri: `dotnet://${name}`,
      name: title,
      description,
      mimeType: JSON_TYPE,
      read: () => json(make()),
    });
  register('sdk-info', '.NET SDK Information', 'The installed .NET SDKs, and the newest of them', async () => {
    const sdks = [...(await sdk.sdks()).sdks].sort((a, b) => compareVersions(a.version, b.version)).map(inFolder);
    return { data: { sdks, latestSdk: sdks.at(-1)?.version }, cache: cacheOf(sdk.caches.sdks) };
  });
  register('runtime-info', '.NET Runtime Information', 'The installed .NET runtimes', async () => {
    const runtimes = (await sdk.runtimes()).runtimes.map(({ name, ...rest }) => ({ name, ...inFolder(rest) }));
    return { data: { runtimes }, cache: cacheOf(sdk.caches.runtimes) };
  });
  register(
    'templates',
    'Template Catalog',
    'The installed templates of dotnet new, with their parameters',
    async () => {
      const templates = (await sdk.templates(defaultFolder(settings.roots))) ?? [];
      return {
        templates: templates.map(({ name, shortNames, author, languages, type, description, parameters }) => ({
          name,
          shortNames,
          author,
          language: languages.join(', '),
          type,
          description,
          parameters,
        })),
      };
    },
  );
  const frameworks = 'Target frameworks, and which of them have long-term support';
  register('frameworks', 'Framework Information', frameworks, async () =>
    frameworkCatalog((await sdk.sdks()).sdks.map(({ version }) => version)),
  );
}

/** @returns the folders of the workspaces that clients have read, by URI; filled as they read */
function registerWorkspaces(api: RegisterApi, services: Services): ReadonlyMap<string, string> {
  const { workspaces, settings } = services;
  const folders = new Map<string, string>();
  const rootOf = (path = '.') => folderWithinRoots(settings.roots, 'path', decodeURIComponent(path));
  const workspace = async (path: string | undefined, signal: AbortSignal) => {
    const root = rootOf(path);
    const data = await readWorkspace(services, root, signal);
    const madeAt = new Date();
    const cache = cacheOf({ metrics: workspaces.metrics, madeAt });
    return json({ data: { root, ...data, generatedAt: madeAt.toISOString() }, cache });
  };
  api.registerResource({
    uri: 'dotnet://workspace',
    name: 'Workspace Snapshot',
    description: 'The solution and projects in the working directory of the server',
    mimeType: JSON_TYPE,
    read: (_uri, _variables, { signal }) => workspace(undefined, signal),
  });
  api.registerResource({
    uriTemplate: 'dotnet://workspace/{+path}',
    name: 'Workspace Snapshot of a folder',
    description: 'The solution and projects in a folder: an absolute path, or one from the working directory',
    mimeType: JSON_TYPE,
    read: async (uri, { path }, { signal }) => {
      folders.delete(uri);
      folders.set(uri, rootOf(path));
      if (folders.size > MAX_WATCHED) folders.delete(folders.keys().next().value!);
      return workspace(path, signal);
    },
  });
  return folders;
}

function inFolder({ version, path }: Sdk): Sdk {
  const separator = path.includes('\\') ? '\\' : '/';
  return { version, path: path.endsWith(version) ? path : `${path}${separator}${version}` };
}

function cacheOf({ metrics, madeAt }: Pick<CachedQuery<unknown>, 'metrics' | 'madeAt'>): object {
  const { hits, misses } = metrics;
  const lookups = hits + misses;
  return {
    ...(madeAt && {
      timestamp: madeAt.toISOString(),
      cacheAgeSeconds: Math.round((Date.now() - madeAt.getTime()) / 1000),
    }),
    metrics: { hits, misses, hitRatio: lookups === 0 ? 0 : Math.round((hits / lookups) * 100) / 100 },
  };
}

/** Compares versions by their numbers; a prerelease comes before its release. */
export function compareVersions(a: string, b: string): number {
  const [[numbersA, preA], [numbersB, preB]] = [parts(a), parts(b)];
  for (let index = 0; index < Math.max(numbersA.length, numbersB.length); index++) {
    const difference = (numbersA[index] ?? 0) - (numbersB[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (preA === undefined || preB === undefined) return Number(preB !== undefined) - Number(preA !== undefined);
  return preA.localeCompare(preB, 'en', { numeric: true });
}

function parts(version: string): [numbers: number[], prerelease: string | undefined] {
  const [release = '', ...prerelease] = version.split('-');
  return [release.split('.').map(Number), prerelease.length > 0 ? prerelease.join('-') : undefined];
}

/** The interval between checks of files, in milliseconds. A check of a hundred files takes one or two milliseconds. */
const POLL_MS = 2000;
const WORKSPACE = 'dotnet://workspace';

/**
 * Notifies subscribers when the workspace, the SDKs or the templates have changed. A folder without a solution and
 * without projects is checked only after a client has read it.
 * @param folders the folders of the workspaces that clients have read, by URI
 */
export function announceChanges(
  api: RegisterApi,
  { workspaces, sdk, settings }: Services,
  folders: ReadonlyMap<string, string>,
): void {
  const root = defaultFolder(settings.roots);
  let installation: string | undefined;

  async function check(): Promise<void> {
    const workspaceUris = workspaces.isCached(root) ? ([[WORKSPACE, root]] as const) : [];
    // All folders are compared before any is read again, because two URIs can name the same folder.
    const changed = [...workspaceUris, ...folders]
      .filter(([, folder]) => !workspaces.isCurrent(folder))
      .map(([uri, folder]) => ({ uri, folder, wasRead: workspaces.wasRead(folder) }));
    for (const { uri, folder, wasRead } of changed) {
      workspaces.read(folder);
      if (wasRead) api.resourceUpdated(uri);
    }
    const state = await sdk.state();
    if (installation !== undefined && state !== installation) {
      for (const uri of ['dotnet://sdk-info', 'dotnet://runtime-info', 'dotnet://frameworks', 'dotnet://templates'])
        api.resourceUpdated(uri);
    }
    installation = state;
  }

  const timer = setInterval(() => {
    check().catch((error: unknown) => api.logger.debug('could not check for changes', { error: String(error) }));
  }, POLL_MS).unref();
  api.onDispose(() => clearInterval(timer));
}
