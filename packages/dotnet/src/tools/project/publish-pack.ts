import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import type { Action, ActionContext, ActionResult } from '../../actions/action.js';
import { projectOrFile } from '../../actions/checks.js';
import { msbuildOptions, positional } from '../../actions/cli-action.js';
import { InvalidParameterError } from '../../actions/invalid-parameter.js';
import type { Arguments } from '../../actions/parameters.js';
import { completeCall } from '../../actions/with-working-directory.js';
import { counted, succeededSummary } from '../../advice/diagnostic-fields.js';
import { adviseOnPublishProfile } from '../../advice/publish-profile.js';
import { findProject } from '../../project-files/find-project.js';
import { nextLine } from '../shared/suggest-restore.js';
import {
  checkTarget,
  projectLock,
  propertyOptions,
  summaryLine,
  target,
  targetOption,
  warningFields,
} from './build.js';
import { publishedFolders } from './output-lines.js';
import { type BuildLog, type BuildRun, runBuild } from './run-build.js';

function publishArguments(args: Arguments): string[] {
  return [
    'publish',
    ...positional(args.project),
    ...msbuildOptions(
      ['-c', args.configuration],
      ['-o', args.output],
      ['-r', args.runtime],
      ['-f', args.framework],
      ['--no-restore', args.noRestore],
      ['--no-build', args.noBuild],
      ['--self-contained', args.selfContained === undefined ? undefined : String(args.selfContained)],
      ['--arch', args.arch],
      ['--os', args.os],
      ['-v', args.verbosity],
    ),
    ...targetOption(args),
    ...propertyOptions(args),
  ];
}

function packArguments(args: Arguments): string[] {
  return [
    'pack',
    ...positional(args.project),
    ...msbuildOptions(
      ['-c', args.configuration],
      ['-o', args.output],
      ['-r', args.runtime],
      ['--no-build', args.noBuild],
      ['--no-restore', args.noRestore],
      ['-v', args.verbosity],
      ['--include-symbols', args.includeSymbols],
      ['--include-source', args.includeSource],
    ),
    ...propertyOptions(args),
  ];
}

/** The properties and items that MSBuild writes to the file of `-getResultOutputFile`. */
interface BuildInfo {
  Properties?: Record<string, string>;
  Items?: Record<string, { FullPath: string }[]>;
}

interface Built extends BuildRun {
  readonly details: BuildInfo;
  /** The absolute path of the project; undefined for a solution. */
  readonly project: string | undefined;
}

/**
 * Runs a command that also writes properties or items of a project to a file. MSBuild refuses that for a solution
 * (MSB1063), for which `details` is empty. Do not use it for build and clean, which would build nothing with such an
 * option.
 * @param resultOption the option that selects the properties or items
 */
async function withDetails(
  call: ActionContext,
  label: string,
  commandArgs: readonly string[],
  resultOption: string,
): Promise<Built> {
  const { args } = call;
  const project = findProject(call.resolve(args.project ?? '.'));
  const folder = await mkdtemp(join(tmpdir(), 'mortise-dotnet-'));
  try {
    const file = join(folder, 'result.json');
    const ownArgs = project === undefined ? [] : [resultOption, `-getResultOutputFile:${file}`];
    const fields = ({ report }: BuildLog) => ({ ...target(args), ...warningFields(report) });
    const built = await runBuild({ label, commandArgs, ownArgs, partialResult: fields }, call);
    const text = await readFile(file, 'utf8').catch(() => '{}');
    return { ...built, details: JSON.parse(text) as BuildInfo, project };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the images that PublishContainer created: `Pushed image 'app:latest' to local archive at '/a.tar.gz'.` (SDK
 * 10).
 */
function imagesIn(output: string): { name: string; destination: string }[] {
  const pushed = output.matchAll(/^\s*Pushed image '([^'\n]+)' to (.+?)\.?\s*$/gm);
  return [...pushed].map(([, name, destination]) => ({ name: name!, destination: destination! }));
}

interface FolderSize {
  readonly fileCount: number;
  readonly sizeBytes: number;
}

/** Returns the number and the size of the files in a folder and its subfolders; undefined if it does not exist. */
async function folderSize(folder: string): Promise<FolderSize | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return undefined;
  const files = entries.filter((entry) => entry.isFile());
  const stats = await Promise.all(files.map((file) => stat(join(file.parentPath, file.name)).catch(() => undefined)));
  return { fileCount: files.length, sizeBytes: stats.reduce((sum, fileStats) => sum + (fileStats?.size ?? 0), 0) };
}

/** Returns for example ` (12 files, 3.4 MB)`. */
function sizeText(size: FolderSize | undefined): string {
  if (size === undefined) return '';
  const [unit, divisor] = size.sizeBytes < 1_000_000 ? ['KB', 1_000] : ['MB', 1_000_000];
  return ` (${counted(size.fileCount, 'file')}, ${(size.sizeBytes / Number(divisor)).toFixed(1)} ${unit})`;
}

async function publish(call: ActionContext): Promise<ActionResult> {
  const { args } = call;
  const built = await withDetails(call, 'Publish', publishArguments(args), '-getProperty:PublishDir,TargetPath');
  const { run, report, outputs, details, project } = built;
  const publishDir = details.Properties?.PublishDir?.replaceAll('\\', '/');
  const folders = publishedFolders(outputs);
  // Another target than the default one may not write to the publish folder.
  const folder = publishDir && project ? resolve(dirname(project), publishDir) : undefined;
  const named = args.target === undefined || (folder && existsSync(folder)) ? folder : undefined;
  const outputPath =
    args.output !== undefined
      ? call.resolve(args.output)
      : folders.length > 1
        ? undefined
        : (folders[0]?.path ?? named);
  const paths = outputPath === undefined ? folders.map(({ path }) => path) : [outputPath];
  const images = imagesIn(run.output);
  const contents = await Promise.all(paths.map(folderSize));
  const line = summaryLine('Publish', built);
  const { framework, runtime } = args;
  const recommendedAction = missingProfile(report, args);
  const data = {
    success: true,
    ...target(args),
    ...(framework && { framework }),
    ...(runtime && { runtime }),
    ...(args.target !== undefined && { target: args.target }),
    ...(outputPath && { outputPath, ...contents[0] }),
    ...warningFields(report),
    ...(outputPath === undefined && { outputs: folders.map((folder, index) => ({ ...folder, ...contents[index] })) }),
    ...(images.length > 0 && { images }),
    ...(recommendedAction && { recommendedAction }),
    summary: succeededSummary('Publish', report),
  };
  return {
    ...line,
    data,
    text: [
      line.text,
      ...paths.map((path, index) => `Output: ${path}${sizeText(contents[index])}`),
      ...images.map(({ name, destination }) => `Image: ${name}, in ${destination}`),
      ...nextLines(recommendedAction),
    ].join('\n'),
    command: run.command,
  };
}

/** Returns the description of the action, and the call if it is one. */
function nextLines(action: RecommendedAction | undefined): string[] {
  if (action === undefined) return [];
  return action.actionKind === 'CallTool' ? [action.description, nextLine(action)] : [nextLine(action)];
}

/**
 * Advises about a publish profile that does not exist. The SDK only warns about it, and publishes without the profile.
 */
function missingProfile({ diagnostics }: BuildRun['report'], args: Arguments): RecommendedAction | undefined {
  const warning = diagnostics.find(({ code }) => code === 'NETSDK1198');
  const action = warning && adviseOnPublishProfile({ message: warning.message, project: warning.projects[0] });
  return action?.actionKind === 'CallTool' ? completeCall(action, { toolName: 'dotnet_project', args }) : action;
}

/** Splits a name such as `Some.Package.1.2.3-rc.1.nupkg`. The version begins with the first part that is a number. */
function packageOf(path: string): { id: string; version: string; path: string } {
  const name = basename(path.replaceAll('\\', '/')).replace(/\.(?:symbols\.)?s?nupkg$/, '');
  const [, id = name, version = ''] = /^(.+?)\.(\d+\.\d+.*)$/.exec(name) ?? [];
  return { id, version, path };
}

async function pack(call: ActionContext): Promise<ActionResult> {
  const { args } = call;
  const built = await withDetails(call, 'Pack', packArguments(args), '-getItem:NuGetPackOutput');
  const { run, report, details } = built;
  const listed = details.Items?.NuGetPackOutput?.map(({ FullPath }) => FullPath);
  const created = [...run.output.matchAll(/Successfully created package '(.+?)'/g)].map(([, path]) => path!);
  const packages = (listed ?? created).filter((path) => /\.s?nupkg$/.test(path)).map(packageOf);
  const line = summaryLine('Pack', built);
  const [only] = packages;
  const data = {
    success: true,
    ...target(args),
    packages,
    ...(only && packages.length === 1 && { packagePath: only.path, version: only.version }),
    ...warningFields(report),
    summary: succeededSummary('Pack', report),
  };
  return { ...line, data, text: [line.text, ...packages.map(({ path }) => path)].join('\n'), command: run.command };
}

export const publishAction: Action = {
  optional: [
    ...(['project', 'configuration', 'output', 'runtime', 'framework', 'noRestore', 'noBuild'] as const),
    ...(['selfContained', 'arch', 'os', 'verbosity', 'properties', 'target'] as const),
  ],
  checks: { project: projectOrFile },
  check(args) {
    const { runtime, arch, os } = args;
    checkTarget(args);
    for (const [name, value] of Object.entries({ arch, os })) {
      if (runtime === undefined || value === undefined) continue;
      throw new InvalidParameterError(name, 'conflict', `Parameters 'runtime' and '${name}' cannot be combined`, {
        hint: 'A runtime identifier names platform and architecture already.',
      });
    }
  },
  lock: projectLock('publish'),
  progress: ['Publishing project...', 'Publish complete'],
  execute: publish,
};

export const packAction: Action = {
  optional: [
    ...(['project', 'configuration', 'output', 'runtime', 'noRestore', 'noBuild', 'verbosity'] as const),
    ...(['includeSymbols', 'includeSource', 'properties'] as const),
  ],
  lock: projectLock('pack'),
  progress: ['Packing project...', 'Pack complete'],
  execute: pack,
};
