import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { editDistance, suggestNames } from '@mortise/plugin/runtime';
import { NO_CODE } from '../diagnostics/parse/multi-line-messages.js';
import { isProjectPath } from '../project-files/find-project.js';
import { filesBelow, namesIn } from '../project-files/readable-files.js';
import { referenceCircle } from '../project-files/reference-circle.js';
import { isSolutionPath } from '../project-files/solution-file.js';
import { CODES } from './codes/codes.js';
import type { FailureEvidence } from './codes/root-cause-kind.js';
import { isSourceLocation } from './codes/source-kind.js';
import { adviseOnLostName } from './declaring-project.js';
import { adviseOnFramework, adviseOnNewFramework, adviseOnUntargetedFramework } from './framework-advice.js';
import { again, call, manual } from './next-call.js';
import { adviseOnPublishProfile } from './publish-profile.js';
import { adviseOnMapping } from './source-advice.js';

/** Returns the next action for one code; undefined if the rule does not apply to this failure. */
type CodeAdvice = (evidence: FailureEvidence) => RecommendedAction | undefined;

/** The rules by the name that an entry of codes.json has as its `advice`. */
export const CODE_ADVICE: Readonly<Record<string, CodeAdvice>> = {
  NameOne: adviseOnSeveral,
  BreakCycle: adviseOnCircle,
  Container: adviseOnContainer,
  SolutionFilter: adviseOnFilter,
  Target: adviseOnTarget,
  ProjectSdk: adviseOnSdk,
  Configuration: adviseOnConfiguration,
  Program: adviseOnProgram,
  LostName: adviseOnLostName,
  DuplicateAttribute: adviseOnDuplicateAttribute,
  UntargetedFramework: adviseOnUntargetedFramework,
  NewFramework: adviseOnNewFramework,
  MissingTarget: adviseOnMissingTarget,
  Runtime: adviseOnRuntime,
  Windows: adviseOnWindows,
  Framework: adviseOnFramework,
  PublishProfile: adviseOnPublishProfile,
  OwnVersions: adviseOnOwnVersions,
  SourceMapping: adviseOnMapping,
  HttpSource: adviseOnHttp,
};

/** Returns a next action that is more specific than the one for the root cause; undefined if there is none. */
export function codeAdvice(evidence: FailureEvidence): RecommendedAction | undefined {
  const code = evidence.code.trim().toUpperCase();
  const name = code === NO_CODE ? 'ProjectSdk' : CODES.get(code)?.advice;
  const action = name === undefined ? undefined : CODE_ADVICE[name]?.(evidence);
  if (action) return action;
  return code.startsWith('CONTAINER') ? adviseOnContainer(evidence) : adviseOnGeneratedFile(evidence);
}

/** For a folder with several projects or solutions: recommends the first solution, else the first project. */
function adviseOnSeveral({ message, run }: FailureEvidence): RecommendedAction | undefined {
  if (run === undefined) return undefined;
  const folder = /folder "([^"\n]{1,1000})" contains/.exec(message)?.[1] ?? '';
  const names = namesIn(resolve(run.cwd, folder)).filter((name) => isProjectPath(name) || isSolutionPath(name));
  const first = names.find(isSolutionPath) ?? names[0];
  if (first === undefined) return undefined;
  const list = names.slice(0, MAX_NAMES).join(', ');
  return again(`The folder holds ${list}${names.length > MAX_NAMES ? ', …' : ''}: name one of them.`, {
    project: join(folder, first),
  });
}

const MAX_NAMES = 10;

function adviseOnFilter({ message }: FailureEvidence): RecommendedAction | undefined {
  const cliMessage = /Invalid solution [`'"]([^`'"\n]{1,1000})[`'"]\. Project [`'"]([^`'"\n]{1,1000})[`'"]/.exec(
    message,
  );
  const msbuildMessage = /filter file at "([^"\n]{1,1000})" includes project "([^"\n]{1,1000})"/.exec(message);
  const [, filter, project] = cliMessage ?? msbuildMessage ?? [];
  if (filter === undefined) return undefined;
  return manual(`Remove ${project} from ${filter}, or add it to the solution that the filter names.`);
}

function adviseOnHttp({ message }: FailureEvidence): RecommendedAction {
  const source = /source: (http:\S{1,500}?)\. /.exec(message)?.[1] ?? 'that uses HTTP';
  return call(
    `Find the name of the source ${source}. Then call UpdateSource with its https address, or with allowInsecure.`,
    'dotnet_package',
    { action: 'ListSources' },
  );
}

/** Finds the circle in the project files, because the message of the restore does not name it. */
function adviseOnCircle({ project }: FailureEvidence): RecommendedAction | undefined {
  const circle = project === undefined ? undefined : referenceCircle(project);
  if (circle === undefined) return undefined;
  const from = circle.at(-2)!;
  const names = circle.map((path) => basename(path)).join(' → ');
  return call(`Remove a reference of the cycle ${names}, such as the last one.`, 'dotnet_package', {
    action: 'RemoveReference',
    project: from,
    referencePath: circle.at(-1),
  });
}

const ASSEMBLY_ATTRIBUTE =
  /Duplicate '(?:global::)?(?:System\.(?:Reflection|Resources|Runtime\.Versioning)\.)?(?:Assembly|NeutralResources|TargetFramework)\w+'/;

/**
 * The SDK generates these attributes into the obj folder. The duplicates come from the obj folder of a nested project
 * or from attributes that were written by hand.
 */
function adviseOnDuplicateAttribute({ message, project }: FailureEvidence): RecommendedAction | undefined {
  if (project === undefined || !ASSEMBLY_ATTRIBUTE.test(message)) return undefined;
  const nested = nestedFolders(project);
  if (nested.length > 0) {
    const patterns = nested.map((folder) => `${folder}/**`).join(';');
    return call(`Exclude the projects inside the folder of ${basename(project)} from it.`, 'dotnet_project', {
      action: 'SetProperty',
      project,
      propertyName: 'DefaultItemExcludes',
      propertyValue: `$(DefaultItemExcludes);${patterns}`,
    });
  }
  return call('Keep the attributes that are written by hand, and let the SDK generate none.', 'dotnet_project', {
    action: 'SetProperty',
    project,
    propertyName: 'GenerateAssemblyInfo',
    propertyValue: 'false',
  });
}

/** Returns the outermost folders with projects below the project's folder, relative to it and with forward slashes. */
function nestedFolders(project: string): string[] {
  const folder = dirname(project);
  const folders = filesBelow(folder, isProjectPath)
    .map((file) => relative(folder, dirname(file)).replaceAll('\\', '/'))
    .filter((name) => name !== '');
  return [...new Set(folders)].filter((name) => !folders.some((other) => name.startsWith(`${other}/`)));
}

/** The output of a source generator exists only in memory, so the location of the error cannot be opened. */
function adviseOnGeneratedFile({ file, line, project }: FailureEvidence): RecommendedAction | undefined {
  if (!isSourceLocation({ file, line }) || project === undefined || existsSync(file!) || !existsSync(project)) {
    return undefined;
  }
  return call(
    `${basename(file!)} is generated and not on the disk: write generated files below obj, then read it.`,
    'dotnet_project',
    { action: 'Build', project, properties: { EmitCompilerGeneratedFiles: 'true' } },
  );
}

/** For packages that were restored for other runtimes or frameworks than those of the call. */
function adviseOnMissingTarget({ message, project }: FailureEvidence): RecommendedAction | undefined {
  const [, target] = /have a target for '([^'\n]{1,100})'/.exec(message) ?? [];
  const runtime = target?.split('/')[1] ?? /with the RuntimeIdentifier '([^'\n]{1,100})'/.exec(message)?.[1];
  const missing = target ?? runtime;
  if (project === undefined || missing === undefined) return undefined;
  return call(`Restore the packages for ${missing}.`, 'dotnet_project', {
    action: 'Restore',
    project,
    ...(runtime !== undefined && { properties: { RuntimeIdentifier: runtime } }),
  });
}

/** For package references with versions in a project whose versions are managed centrally; templates write them. */
function adviseOnOwnVersions({ message, project }: FailureEvidence): RecommendedAction | undefined {
  const listed = /(?:for Version|PackageVersion items): ([^\n]{1,4000}?)(?:\. |\.?$|\n)/.exec(message)?.[1];
  const packageIds = listed?.split(/[,;]/).flatMap((id) => id.trim() || []) ?? [];
  if (project === undefined || packageIds.length === 0) return undefined;
  return call(
    `Remove ${packageIds.join(', ')} and add them again: Add writes their versions into Directory.Packages.props.`,
    'dotnet_package',
    { action: 'Remove', project, packageIds },
  );
}

const PLATFORMS = ['linux', 'linux-musl', 'win', 'osx'];
const ARCHITECTURES = ['x64', 'arm64', 'x86', 'arm'];
const RUNTIMES = PLATFORMS.flatMap((platform) => ARCHITECTURES.map((architecture) => `${platform}-${architecture}`));

function adviseOnRuntime({ message, project, run }: FailureEvidence): RecommendedAction | undefined {
  const wrong = /RuntimeIdentifier '([^'\n]{1,100})'/.exec(message)?.[1];
  if (wrong === undefined) return undefined;
  const key = wrong.toLowerCase();
  const [closest] = RUNTIMES.toSorted((a, b) => editDistance(key, a) - editDistance(key, b));
  const description = `'${wrong}' is not a runtime identifier; the nearest one is ${closest}.`;
  if (run?.args.includes(wrong)) return again(description, { runtime: closest });
  const args = { action: 'SetProperty', project, propertyName: 'RuntimeIdentifier', propertyValue: closest };
  return project === undefined ? undefined : call(description, 'dotnet_project', args);
}

function adviseOnWindows({ project }: FailureEvidence): RecommendedAction | undefined {
  if (project === undefined) return undefined;
  return call(
    'The project targets Windows (such as net10.0-windows, or runtime win-x64). Allow that on this system.',
    'dotnet_project',
    { action: 'SetProperty', project, propertyName: 'EnableWindowsTargeting', propertyValue: 'true' },
  );
}

const SDKS = ['', '.Web', '.Razor', '.Worker', '.BlazorWebAssembly', '.StaticWebAssets', '.WindowsDesktop'].map(
  (name) => `Microsoft.NET.Sdk${name}`,
);

/** An SDK that does not ship with .NET is a package. Its version must be in the project or in global.json. */
function adviseOnSdk({ message, file, project }: FailureEvidence): RecommendedAction | undefined {
  const [, id, version] = /SDK ['"]([^'"/\n]{1,100})(?:\/([^'"\n]{1,60}))?['"]/.exec(message) ?? [];
  if (id === undefined || SDKS.includes(id)) return undefined;
  const [nearest] = suggestNames(id, SDKS, 1);
  if (nearest !== undefined && id.toLowerCase().startsWith('microsoft.net.')) {
    return manual(`Write Sdk="${nearest}" in ${file ?? project ?? 'the project'}: there is no SDK ${id}.`);
  }
  const requested = version ?? /with version \(= ([^)\n]{1,60})\)/.exec(message)?.[1];
  const how = `write Sdk="${id}/<version>", or its version under msbuild-sdks in global.json`;
  const isUnknown = message.includes('No packages exist with this id');
  const needsVersion = requested === undefined && !isUnknown;
  const what = needsVersion
    ? `${id} is a package, which needs a version`
    : `No source has ${[id, requested].filter(Boolean).join(' ')}`;
  return call(`${what}: see the available versions, then ${how}.`, 'dotnet_package', {
    action: 'Search',
    searchTerm: id,
    exactMatch: true,
  });
}

/** The targets of SDK-style projects that callers are likely to mean. */
const TARGETS = [
  'Build',
  'Rebuild',
  'Clean',
  'Restore',
  'Compile',
  'Pack',
  'Publish',
  'PublishContainer',
  'Test',
  'VSTest',
  'Run',
];

/** Applies only if the call named the missing target; a project file can name one too. */
function adviseOnTarget({ message, run }: FailureEvidence): RecommendedAction | undefined {
  const name = /target "([^"\n]{1,200})" does not exist/.exec(message)?.[1];
  const isNamed = run?.args.some((arg) => /^-t:/.test(arg) && arg.endsWith(name ?? '\0'));
  if (name === undefined || !isNamed) return undefined;
  const [nearest] = suggestNames(name, TARGETS, 1);
  return nearest === undefined
    ? manual(`Correct the parameter target: the project has no target ${name}.`)
    : again(`The project has no target ${name}; the most similar one of the SDK is ${nearest}.`, { target: nearest });
}

/** The output of a program that a build task runs is shown only with the verbosity `detailed` or above. */
function adviseOnProgram({ run }: FailureEvidence): RecommendedAction | undefined {
  const isDetailed = run?.args.some((arg) => /^(?:d|detailed|diag|diagnostic)$/i.test(arg));
  if (run?.args[0] !== 'build' || isDetailed) return undefined;
  return again('See what the program printed.', { verbosity: 'detailed' });
}

function adviseOnConfiguration({ message, run }: FailureEvidence): RecommendedAction | undefined {
  const name = /solution configuration "([^"|\n]{1,100})\|/.exec(message)?.[1];
  const [nearest] = name === undefined ? [] : suggestNames(name, CONFIGURATIONS, 1);
  if (nearest === undefined || !run?.args.includes(name!)) return undefined;
  return again(`The solution has no configuration ${name}; the nearest one is ${nearest}.`, { configuration: nearest });
}

const CONFIGURATIONS = ['Debug', 'Release'];

/**
 * Publishing a container needs a registry for the base image, and a container runtime or an archive file that takes the
 * result.
 */
function adviseOnContainer({ code, message, run }: FailureEvidence): RecommendedAction | undefined {
  const isContainer = code.toUpperCase().startsWith('CONTAINER') || message.includes('"CreateNewImage"');
  if (!isContainer) return undefined;
  if (/daemon|docker|podman|local (?:registry|container)/i.test(message) && !/HttpRequest|registry '/i.test(message)) {
    const properties = { ContainerArchiveOutputPath: join('bin', 'image.tar.gz') };
    return again('Write the image to a file, which needs no container runtime.', { properties });
  }
  const image = /repository '([^'\n]{1,200})'/.exec(message)?.[1];
  const property = run?.args.find((arg) => /ContainerBaseImage=/.test(arg))?.split('=')[1];
  return manual(
    `The base image ${property ?? image ?? 'of the project'} cannot be fetched from its registry: give this machine access to it, or set the property ContainerBaseImage to an image of a registry that it can reach.`,
  );
}
