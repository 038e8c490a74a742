import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Completer } from '@mortise/plugin';
import { homeFolder } from '@mortise/plugin/runtime';
import { defaultFolder } from '../actions/allowed-roots.js';
import { referencedPackages } from '../nuget/package-versions.js';
import { frameworkCatalog, RID_PLATFORMS } from '../project-files/frameworks.js';
import type { Services } from '../services.js';

const ARCHITECTURES = ['x64', 'arm64', 'x86', 'arm'];
const PLATFORMS = ['linux', 'linux-musl', 'win', 'osx', 'android', 'ios', 'browser'];
const PROVIDERS = ['SqlServer', 'SQLite', 'PostgreSQL', 'InMemory'];

/** The completers by argument name, independent of the prompt (docs/spec/dotnet-resources.md#completions). */
export function createCompleters({ sdk, workspaces, settings }: Services): Record<string, Completer> {
  const folder = () => defaultFolder(settings.roots);
  const projects = () => workspaces.read(folder()).projects;
  const sources: Record<string, () => readonly string[] | Promise<readonly string[]>> = {
    projectPath: () => projects().map(({ path }) => path),
    framework: async () => {
      const own = projects().flatMap(({ targetFrameworks }) => targetFrameworks);
      const { modernFrameworks } = frameworkCatalog((await sdk.sdks()).sdks.map(({ version }) => version));
      return [...own, ...modernFrameworks.map(({ tfm }) => tfm)];
    },
    configuration: () => ['Debug', 'Release'],
    runtime: () =>
      PLATFORMS.filter((platform) => RID_PLATFORMS.has(platform.split('-')[0]!)).flatMap((platform) =>
        ARCHITECTURES.map((architecture) => `${platform}-${architecture}`),
      ),
    template: async () => ((await sdk.templates(folder())) ?? []).flatMap(({ shortNames }) => shortNames),
    packageId: () => [
      ...projects().flatMap(({ path }) => referencedPackages(join(folder(), path))),
      ...cachedPackages(),
    ],
    dbProvider: () => PROVIDERS,
  };
  return Object.fromEntries(
    Object.entries(sources).map(([name, values]) => [name, async (typed: string) => matching(await values(), typed)]),
  );
}

/** Those that begin with what was typed, in any case; each once. */
function matching(values: readonly string[], typed: string): string[] {
  const start = typed.toLowerCase();
  return [...new Set(values)].filter((value) => value.toLowerCase().startsWith(start));
}

/** The packages that NuGet has on this machine. */
function cachedPackages(): string[] {
  try {
    return readdirSync(process.env.NUGET_PACKAGES || join(homeFolder(), '.nuget', 'packages'));
  } catch {
    return [];
  }
}
