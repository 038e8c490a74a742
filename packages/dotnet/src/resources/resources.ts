import type { CallContext, RegisterApi } from '@mortise/plugin';
import { defaultFolder, folderWithinRoots } from '../actions/allowed-roots.js';
import { frameworkCatalog } from '../project-files/frameworks.js';
import type { CachedQuery } from '../sdk/cached-query.js';
import type { Sdk } from '../sdk/sdk-info.js';
import type { Services } from '../services.js';
import { announceChanges } from './announce-changes.js';

/** The maximum number of workspace folders that are checked for changes; the latest read ones are kept. */
const MAX_WATCHED = 10;
const JSON_TYPE = 'application/json';

/** The resources, with updates for subscribers (docs/spec/dotnet-resources.md#resources). */
export function registerResources(api: RegisterApi, services: Services): void {
  const { sdk, workspaces, settings } = services;
  const rootOf = (path = '.') => folderWithinRoots(settings.roots, 'path', decodeURIComponent(path));
  const read = (make: (context: CallContext, variables: Record<string, string>) => Promise<object>) => {
    return async (_uri: string, variables: Record<string, string>, context: CallContext) => ({
      text: JSON.stringify(await make(context, variables), null, 2),
      mimeType: JSON_TYPE,
    });
  };

  api.registerResource({
    uri: 'dotnet://sdk-info',
    name: '.NET SDK Information',
    description: 'The installed .NET SDKs, and the newest of them',
    mimeType: JSON_TYPE,
    read: read(async () => {
      const sdks = [...(await sdk.sdks()).sdks].sort((a, b) => compareVersions(a.version, b.version)).map(inFolder);
      return { data: { sdks, latestSdk: sdks.at(-1)?.version }, cache: cacheOf(sdk.caches.sdks) };
    }),
  });
  api.registerResource({
    uri: 'dotnet://runtime-info',
    name: '.NET Runtime Information',
    description: 'The installed .NET runtimes',
    mimeType: JSON_TYPE,
    read: read(async () => {
      const runtimes = (await sdk.runtimes()).runtimes.map(({ name, ...rest }) => ({ name, ...inFolder(rest) }));
      return { data: { runtimes }, cache: cacheOf(sdk.caches.runtimes) };
    }),
  });
  api.registerResource({
    uri: 'dotnet://templates',
    name: 'Template Catalog',
    description: 'The installed templates of dotnet new, with their parameters',
    mimeType: JSON_TYPE,
    read: read(async () => {
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
    }),
  });
  api.registerResource({
    uri: 'dotnet://frameworks',
    name: 'Framework Information',
    description: 'Target frameworks, and which of them have long-term support',
    mimeType: JSON_TYPE,
    read: read(async () => frameworkCatalog((await sdk.sdks()).sdks.map(({ version }) => version))),
  });

  const folders = new Map<string, string>();
  const workspace = (path?: string) => {
    const { generatedAt, ...data } = workspaces.read(rootOf(path));
    const cache = cacheOf({ metrics: workspaces.metrics, madeAt: generatedAt });
    return Promise.resolve({ data: { ...data, generatedAt: generatedAt.toISOString() }, cache });
  };
  api.registerResource({
    uri: 'dotnet://workspace',
    name: 'Workspace Snapshot',
    description: 'The solution and projects in the working directory of the server',
    mimeType: JSON_TYPE,
    read: read(() => workspace()),
  });
  api.registerResource({
    uriTemplate: 'dotnet://workspace/{+path}',
    name: 'Workspace Snapshot of a folder',
    description: 'The solution and projects in a folder: an absolute path, or one from the working directory',
    mimeType: JSON_TYPE,
    read: (uri, variables, context) => {
      const { path } = variables;
      folders.delete(uri);
      folders.set(uri, rootOf(path));
      if (folders.size > MAX_WATCHED) folders.delete(folders.keys().next().value!);
      return read(() => workspace(path))(uri, variables, context);
    },
  });
  announceChanges(api, services, folders);
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

/** Compares by numbers; a prerelease comes before its release. */
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
