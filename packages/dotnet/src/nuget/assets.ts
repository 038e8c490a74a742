import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isJsonObject, readRegularText } from '@mortise/plugin/runtime';
import { type Evaluation, itemsOf, metadataOf, type ProjectEvaluation, propertyOf } from '../msbuild/evaluate.js';
import { packagesInTargets } from '../project-files/in-targets.js';
import { isSameName } from '../project-files/msbuild-syntax.js';
import { requestedVersion } from './package-references.js';
import { normalizeRange } from './version-range.js';

/** The parts of `obj/project.assets.json` (versions 3 and 4) that are used. A restore writes its results there. */
export interface Assets {
  readonly targets: Readonly<Record<string, Readonly<Record<string, { readonly type?: string }>>>>;
  readonly project: {
    readonly frameworks: Readonly<Record<string, AssetsFramework>>;
    readonly restore?: {
      readonly projectPath?: string;
      readonly frameworks?: Readonly<
        Record<string, { readonly projectReferences?: Readonly<Record<string, unknown>> }>
      >;
    };
  };
  readonly logs?: readonly { readonly level: string; readonly code?: string; readonly message?: string }[];
}

interface Dependency {
  readonly version?: string;
  readonly target?: string;
  /**
   * True if the SDK added it, perhaps in a target (trimming, ahead-of-time compilation) that evaluations do not see.
   */
  readonly autoReferenced?: boolean;
}

interface AssetsFramework {
  readonly targetAlias?: string;
  readonly dependencies?: Readonly<Record<string, Dependency>>;
}

/** Reads an assets file; returns undefined if it does not exist or is invalid. */
export type ReadAssets = (path: string) => Promise<Assets | undefined>;

/** Creates a reader that parses a file again only if it has changed. */
export function createAssetsReader(): ReadAssets {
  const cache = new Map<string, { stateHash: string; assets: Assets | undefined }>();
  return async (path) => {
    const stateHash = await stateHashOf(path);
    const cached = cache.get(path);
    if (cached?.stateHash === stateHash) return cached.assets;
    const assets = await readAssets(path);
    cache.delete(path);
    cache.set(path, { stateHash, assets });
    if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
    return assets;
  };
}

const MAX_CACHED = 50;

async function stateHashOf(path: string): Promise<string> {
  try {
    const { mtimeNs, size, ino } = await stat(path, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch {
    return '';
  }
}

export const readAssets: ReadAssets = async (path) => {
  try {
    const value: unknown = JSON.parse(readRegularText(path));
    return isAssets(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
};

type Members = Readonly<Record<string, unknown>>;

/** True if each member that is used has the type that a restore writes: a file can be damaged, or another program's. */
function isAssets(value: unknown): value is Assets {
  if (!isJsonObject(value) || !isJsonObject(value.project)) return false;
  const { targets, project, logs = [] } = value;
  return (
    areObjects(targets, (target) => areObjects(target)) &&
    areObjects(project.frameworks, (framework) => isText(framework.targetAlias) && areDependencies(framework)) &&
    Array.isArray(logs) &&
    logs.every(isJsonObject)
  );
}

const areDependencies = ({ dependencies = {} }: Members): boolean =>
  areObjects(dependencies, ({ version }) => isText(version));

const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';

/** True for an object whose members are all objects of this kind. */
const areObjects = (value: unknown, isKind: (member: Members) => boolean = () => true): boolean =>
  isJsonObject(value) && Object.values(value).every((member) => isJsonObject(member) && isKind(member));

const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EINVAL', 'ENXIO']);

/** Returns the path of a project's assets file; empty for a project that NuGet does not restore. */
export function assetsPath({ outer, inner }: ProjectEvaluation): string {
  return propertyOf(outer, 'ProjectAssetsFile') || propertyOf(inner[0]!, 'ProjectAssetsFile');
}

/**
 * True if the assets match the frameworks, the package versions and the project references of the project as it is now.
 * The packages of referenced projects are not compared.
 */
export function isRestored(evaluation: ProjectEvaluation, assets: Assets | undefined): assets is Assets {
  if (!assets || assets.logs?.some(({ level }) => level === 'Error')) return false;
  const frameworks = Object.keys(assets.project.frameworks);
  return (
    frameworks.length === evaluation.inner.length &&
    evaluation.inner.every((inner) => isFrameworkRestored(inner, assets, evaluation.project))
  );
}

function isFrameworkRestored(evaluation: Evaluation, assets: Assets, project: string): boolean {
  const key = frameworkKey(assets, evaluation.framework);
  if (key === undefined) return false;
  const restored = Object.entries(assets.project.frameworks[key]!.dependencies ?? {}).filter(
    ([, { target }]) => target === undefined || target === 'Package',
  );
  const requested = itemsOf(evaluation, 'PackageReference').map(
    (item) => `${item.include.toLowerCase()} ${normalizeRange(requestedVersion(evaluation, item))}`,
  );
  const references = Object.keys(assets.project.restore?.frameworks?.[key]?.projectReferences ?? {});
  const projects = itemsOf(evaluation, 'ProjectReference')
    .filter((item) => metadataOf(item, 'ReferenceOutputAssembly').toLowerCase() !== 'false')
    .map(({ fullPath }) => fullPath)
    // MSBuild skips a reference to a missing project, with a warning.
    .filter((path) => references.includes(path) || existsSync(path));
  return areRestored(restored, requested, project) && isSameSet(references, projects);
}

/**
 * True if the restored packages match the requested ones. If a package is referenced twice, NuGet uses one version.
 * Targets can add packages that an evaluation does not show.
 * @param requested ids in lower case with normalized ranges, such as `dapper [2.1.66, )`
 */
function areRestored(
  restored: readonly (readonly [name: string, dependency: Dependency])[],
  requested: readonly string[],
  project: string,
): boolean {
  const names = new Set(requested.map((reference) => reference.slice(0, reference.indexOf(' '))));
  const restoredByName = new Map(restored.map(([name, dependency]) => [name.toLowerCase(), dependency]));
  if ([...names].some((name) => !restoredByName.has(name))) return false;
  const others = [...restoredByName].filter(
    ([name, { version = '' }]) => !requested.includes(`${name} ${normalizeRange(version)}`),
  );
  if (others.some(([name]) => names.has(name))) return false;
  const unseen = others.filter(([, { autoReferenced }]) => autoReferenced !== true);
  if (unseen.length === 0) return true;
  const inTargets = packagesInTargets(project);
  return unseen.every(([name]) => inTargets.includes(name));
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  const [first, second] = [new Set(a), new Set(b)];
  return first.size === second.size && [...first].every((item) => second.has(item));
}

function frameworkKey(assets: Assets, framework: string): string | undefined {
  return Object.entries(assets.project.frameworks).find(([name, { targetAlias }]) =>
    isSameName(targetAlias ?? name, framework),
  )?.[0];
}

export interface ResolvedPackage {
  readonly name: string;
  readonly version: string;
}

/** Returns the packages that were resolved for a framework, including transitive ones. */
export function resolvedPackages(assets: Assets, framework: string): ResolvedPackage[] {
  const key = frameworkKey(assets, framework);
  const [, target = {}] =
    Object.entries(assets.targets).find(([name]) => isSameName(name, framework)) ??
    Object.entries(assets.targets).find(([name]) => key !== undefined && isSameName(shortFramework(name), key)) ??
    [];
  return Object.entries(target)
    .filter(([, { type }]) => type === 'package')
    .map(([library]) => {
      const slash = library.indexOf('/');
      return { name: library.slice(0, slash), version: library.slice(slash + 1) };
    });
}

/** Converts the name of a target in version 3 of the file, such as `.NETCoreApp,Version=v8.0`, to `net8.0`. */
function shortFramework(name: string): string {
  const [, identifier, version = ''] = /^\.(NETCoreApp|NETStandard|NETFramework),Version=v([\d.]+)$/.exec(name) ?? [];
  if (identifier === 'NETStandard') return `netstandard${version}`;
  if (identifier === 'NETFramework') return `net${version.replaceAll('.', '')}`;
  if (identifier === undefined) return name;
  return Number.parseInt(version, 10) < 5 ? `netcoreapp${version}` : `net${version}`;
}
