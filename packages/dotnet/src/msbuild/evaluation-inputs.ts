import { basename, dirname, join, resolve, sep } from 'node:path';
import { readRegularFile, UnreadableFileError } from '@mortise/plugin/runtime';
import { FileError } from '../project-files/file-error.js';
import { folderTree } from '../project-files/file-state.js';
import { foldersUpward } from '../project-files/find-project.js';
import { splitList } from '../project-files/msbuild-syntax.js';
import { parseProject } from '../project-files/project-xml.js';
import { namesIn } from '../project-files/readable-files.js';
import { decodeText } from '../project-files/text-file.js';
import { type ProjectEvaluation, propertyOf } from './evaluate.js';
import { externalInputs } from './external-inputs.js';

/** Files that count in every folder from the project upward, by their presence too. */
const UPWARD = [
  'Directory.Build.props',
  'Directory.Build.targets',
  'Directory.Build.rsp',
  'Directory.Packages.props',
  'global.json',
  'nuget.config',
  'NuGet.config',
  'NuGet.Config',
  '.editorconfig',
  '.globalconfig',
];

/** Properties that no project changes, with which paths are written. */
const CONSTANTS = [
  'MSBuildExtensionsPath',
  'MSBuildToolsPath',
  'MSBuildBinPath',
  'MSBuildToolsVersion',
  'NuGetPackageRoot',
];

/** Properties that name files which the SDK imports if they exist. */
const PATHS = [
  'ApplicationIcon',
  'CustomAfterDirectoryBuildTargets',
  'CustomAfterMicrosoftCommonProps',
  'CustomAfterMicrosoftCommonTargets',
  'CustomBeforeDirectoryBuildProps',
  'CustomBeforeDirectoryBuildTargets',
  'CustomBeforeMicrosoftCommonProps',
  'CustomBeforeMicrosoftCommonTargets',
  'DirectoryBuildPropsPath',
  'DirectoryBuildTargetsPath',
  'DirectoryPackagesPropsPath',
  'ProjectAssetsFile',
  'PublishProfileFullPath',
];

const FOLDERS = ['MSBuildProjectExtensionsPath', 'MSBuildUserExtensionsPath', 'NuGetPackageFolders'];

/** The properties that an evaluation must include for {@link evaluationInputs}. */
export const WATCH_PROPERTIES: readonly string[] = [...CONSTANTS, ...PATHS, ...FOLDERS];

/** A project tree with more folders is evaluated each time. */
const MAX_FOLDERS = 2000;

/**
 * Files that count although no evaluation names them while they are absent (docs/spec/dotnet-evaluation.md#cache-absent):
 * known before the first evaluation, but for `obj` elsewhere.
 */
export function fixedInputs(project: string, extensions = join(dirname(project), 'obj')): string[] {
  const folder = dirname(project);
  return [
    project,
    `${project}.user`,
    join(folder, 'MSBuild.rsp'),
    ...generatedFiles(extensions, basename(project)),
    ...foldersUpward(folder).flatMap((above) => UPWARD.map((name) => join(above, name))),
  ];
}

/** The folder of the files that NuGet generates for the project: `obj` mostly. */
export function extensionsFolder(evaluation: ProjectEvaluation): string {
  return resolve(dirname(evaluation.project), pathProperty(evaluation, 'MSBuildProjectExtensionsPath') || 'obj');
}

/** `obj/App.csproj.*.props` and `.targets`, and those that NuGet would write. */
function generatedFiles(folder: string, project: string): string[] {
  const isGenerated = (name: string) => name.startsWith(`${project}.`) && /\.(?:props|targets)$/.test(name);
  const names = new Set([
    ...namesIn(folder).filter(isGenerated),
    `${project}.nuget.g.props`,
    `${project}.nuget.g.targets`,
  ]);
  return [...names].sort().map((name) => join(folder, name));
}

/**
 * All files and folders on which an evaluation depends (docs/spec/dotnet-evaluation.md#evaluation-cache, a to c and e);
 * `undefined` if they cannot be determined, so that nothing must be cached.
 */
export function evaluationInputs(evaluation: ProjectEvaluation, imports: readonly string[]): string[] | undefined {
  const { project } = evaluation;
  const folder = dirname(project);
  const value = (name: string) => pathProperty(evaluation, name);
  if (!value('MSBuildExtensionsPath')) return undefined;
  const sdkRoot = resolve(value('MSBuildExtensionsPath'), '../..');
  const packageFolders = [value('NuGetPackageRoot'), ...splitList(value('NuGetPackageFolders'))].filter(Boolean);
  const isOwn = (file: string) => ![sdkRoot, ...packageFolders].some((root) => isInside(root, file));
  const constants = Object.fromEntries(CONSTANTS.map((name) => [name, value(name)]));

  const paths = [...imports, ...fixedInputs(project, extensionsFolder(evaluation))];
  const roots = [value('MSBuildUserExtensionsPath')].filter(Boolean);
  for (const file of imports.filter(isOwn)) {
    const inputs = inputsOf(file, project, constants);
    if (!inputs) return undefined;
    paths.push(...inputs.paths);
    roots.push(...inputs.globRoots);
  }
  const outputs = ['bin', 'obj'].map((name) => join(folder, name));
  const isSearched = (path: string) => roots.some((root) => isInside(root, path) || isInside(path, root));
  // The globs of the SDK leave hidden folders out: `.git` changes with every command of Git.
  const isDotFile = (path: string) => basename(path).startsWith('.') && !isSearched(path);
  const trees = [
    folderTree(folder, MAX_FOLDERS, (path) => outputs.includes(path) || isDotFile(path)),
    ...roots.map((root) =>
      folderTree(root, MAX_FOLDERS, (path) => isInside(folder, path) && !isInOutputs(path, outputs)),
    ),
    folderTree(join(sdkRoot, 'sdk-manifests'), MAX_FOLDERS),
    ['', 'sdk', 'packs', 'library-packs'].map((name) => join(sdkRoot, name)),
    workloadStates(sdkRoot, basename(value('MSBuildToolsPath'))),
    PATHS.map(value)
      .filter(Boolean)
      .map((path) => resolve(folder, path)),
  ];
  const all = new Set(paths);
  for (const tree of trees) {
    if (!tree) return undefined;
    for (const path of tree) all.add(path);
  }
  return all.size > 2 * MAX_FOLDERS ? undefined : [...all];
}

/**
 * The files in which an SDK records the workload manifests it uses. The folders are not reliable, because commands create and
 * remove folders there all the time.
 */
function workloadStates(sdkRoot: string, version: string): string[] {
  const band = version.replace(/(\d)\d\d(?=$|-)/, '$100');
  const workloads = join(sdkRoot, 'metadata', 'workloads');
  const architecture = process.arch.charAt(0).toUpperCase() + process.arch.slice(1);
  return [
    join(workloads, band, 'userlocal'),
    ...[band, join(architecture, band)].map((name) => join(workloads, name, 'InstallState', 'default.json')),
  ];
}

function inputsOf(file: string, project: string, constants: Readonly<Record<string, string>>) {
  try {
    return externalInputs(parseProject(decodeText(readRegularFile(file), file).text), { file, project, constants });
  } catch (error) {
    if (
      error instanceof FileError ||
      error instanceof UnreadableFileError ||
      (error as NodeJS.ErrnoException).code === 'ENOENT'
    )
      return undefined;
    throw error;
  }
}

function isInOutputs(path: string, outputs: readonly string[]): boolean {
  return outputs.some((output) => isInside(output, path));
}

function isInside(folder: string, path: string): boolean {
  const root = resolve(folder);
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** The value in the outer evaluation, else in the first inner one; with the slashes of the system. */
function pathProperty({ outer, inner }: ProjectEvaluation, name: string): string {
  const value = propertyOf(outer, name) || propertyOf(inner[0]!, name);
  return sep === '/' ? value.replaceAll('\\', '/') : value;
}
