import { basename, dirname, join } from 'node:path';
import type { PluginStatus } from '../../core/plugin-status.js';
import type { Log } from '../../log/log.js';
import { folderCandidate } from '../../plugins/find/discover-plugins.js';
import { type PackageJson, readPackage } from '../../plugins/find/package-entry.js';
import { isOfSettings } from '../../settings/setting-owner.js';
import type { LoadedSettings } from '../../settings/settings.js';
import { checkPlugin } from '../shared/check-plugin.js';
import { type Issue, pluginIssue } from '../shared/issue.js';
import { checkCode, checkFiles } from './check-files.js';
import { checkManifest, isPackable } from './check-manifest.js';
import { findSecrets } from './find-secrets.js';
import { finding } from './package-under-check.js';
import { npmPack, type Packed } from './run-npm.js';

export interface CheckedPackage {
  readonly name: string;
  readonly version: string | undefined;
  /** The description of the package that npm would publish; undefined if npm cannot pack it. */
  readonly packed: Packed | undefined;
  readonly problems: readonly Issue[];
  /** Errors in the settings of this machine that keep the plugin from loading. They are no faults of the package. */
  readonly neededSettings: readonly Issue[];
}

/**
 * Checks a plugin package before it is published (docs/spec/plugin-authoring.md#pack). Runs the scripts that npm runs
 * before it packs, and loads the plugin once, as `mortise validate` does.
 * @param folder absolute path of a folder with a package.json
 */
export async function checkPackage(folder: string, loaded: LoadedSettings, log: Log): Promise<CheckedPackage> {
  const manifest = readPackage(folder)!;
  if ('problem' in manifest) {
    const problems = [pluginIssue(manifest.problem)];
    return { name: basename(folder), version: undefined, packed: undefined, problems, neededSettings: [] };
  }
  const { json } = manifest;
  const name = typeof json.name === 'string' ? json.name : basename(folder);
  const version = typeof json.version === 'string' ? json.version : undefined;
  const { packed, problems } = await checkPublished(folder, json, loaded.secrets);
  const plugin = await loadPlugin({ folder, name, packed, json }, loaded, log);
  const allProblems = [...checkManifest({ folder, json }), ...problems, ...plugin.problems];
  return { name, version, packed, problems: allProblems, neededSettings: plugin.neededSettings };
}

async function checkPublished(
  folder: string,
  json: PackageJson,
  secrets: readonly string[],
): Promise<{ packed?: Packed; problems: Issue[] }> {
  if (!isPackable({ json })) return { problems: [] };
  const packed = await npmPack(folder, ['--dry-run']);
  if ('failure' in packed) return { problems: [npmFailed(folder, packed.failure)] };
  const published = { folder, json, files: packed.files.map(({ path }) => path) };
  return { packed, problems: [...checkFiles(published), ...findSecrets(published, secrets)] };
}

/** Creates the issue for a failed `npm pack`. @param failure the output of npm, or another reason */
export function npmFailed(folder: string, failure: string): Issue {
  const hint = 'Fix the error that npm reports. `npm pack` also runs the scripts prepack and prepare.';
  return finding('error', 'NPM_FAILED', { folder, file: 'package.json' }, `npm pack failed: ${failure}`, hint);
}

async function loadPlugin(
  { folder, name, packed, json }: { folder: string; name: string; packed: Packed | undefined; json: PackageJson },
  loaded: LoadedSettings,
  log: Log,
): Promise<Pick<CheckedPackage, 'problems' | 'neededSettings'>> {
  const candidate = folderCandidate({ name, path: folder, directory: dirname(folder) });
  if (!candidate) {
    const message = 'The assembly has no class that implements McpServer.Tools.ITool';
    const hint = 'Add a public class that implements it: docs/csharp-plugins.md.';
    return { problems: [noTools(folder, message, hint)], neededSettings: [] };
  }
  const status = await checkPlugin(candidate, loaded, log);
  const files = packed?.files.map(({ path }) => path);
  const nothing = noTools(
    folder,
    'The plugin loads, and provides no tool, resource or prompt',
    'Export a tool, or a function register(api) that registers one: docs/publishing-plugins.md.',
  );
  const toIssues = (problems: PluginStatus['problems']) => problems.map((problem) => pluginIssue(problem));
  const neededSettings = status.problems.filter((problem) => problem.severity === 'error' && isOfSettings(problem));
  return {
    problems: [
      ...(files ? checkCode({ folder, json, files }, candidate) : []),
      ...toIssues(status.problems.filter((problem) => !isOfSettings(problem))),
      ...(providesNothing(status) ? [nothing] : []),
    ],
    neededSettings: toIssues(neededSettings),
  };
}

const providesNothing = ({ state }: PluginStatus) => state === 'no tools';

function noTools(folder: string, message: string, hint: string): Issue {
  return finding('error', 'NO_TOOLS', { folder, file: join('package.json') }, message, hint);
}
