import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';
import { type ActionContext, type ActionResult, changed, withArgs } from '../actions/action.js';
import { changedLines, placeOf } from '../actions/changed-lines.js';
import { options, positional, runCli } from '../actions/cli-action.js';
import { assertNotSolution } from '../actions/find-target.js';
import type { Arguments } from '../actions/parameters.js';
import { withWarnings } from '../actions/with-warnings.js';
import { parseDiagnostics } from '../diagnostics/parse/parse-diagnostics.js';
import { type CentralVersion, centralVersionOf } from '../nuget/central-version.js';
import {
  centralVersionsFile,
  referencedPackages,
  referencedVersion,
  versionDeclarations,
} from '../nuget/package-versions.js';
import type { CommandRun } from '../process/command-run.js';
import { findProject } from '../project-files/find-project.js';
import { isSameName } from '../project-files/msbuild-syntax.js';
import { relativePath } from '../project-files/relative-path.js';
import { readSolution } from '../project-files/solution-file.js';
import { affects, assertNotLower, newestOf, projectNames } from './central-change.js';
import { assertNoConditions } from './conditional-versions.js';
import { blamingOthers } from './other-packages.js';
import { solutionAt } from './shared/projects-of.js';

/** True for a file-based app, for which the commands of the CLI have another form (SDK 10). */
const isFile = (project: string | undefined): project is string => /\.cs$/i.test(project ?? '');

/** Returns `add [project] package ID` or `package add ID --file app.cs`, or the same with `remove`. */
function packageCommand(verb: 'add' | 'remove', { project, packageId }: Arguments): string[] {
  if (isFile(project)) return ['package', verb, packageId!, '--file', project];
  return [verb, ...positional(project), 'package', packageId!];
}

/** Returns `add [project] package ID …`. If the call has a version, `prerelease` is ignored. */
function addArguments(args: Arguments): string[] {
  const { version, prerelease, source, framework } = args;
  return [
    ...packageCommand('add', args),
    ...options(
      ['--version', version],
      ['--prerelease', version === undefined && prerelease],
      ['--source', source],
      ['--framework', framework],
    ),
  ];
}

/** Adds or updates a package. The command is the same. */
export async function addPackage(call: ActionContext): Promise<ActionResult> {
  const { packageId, project } = call.args;
  assertNotSolution(call);
  const file = projectFile(call);
  const before = file === undefined ? undefined : centralVersionOf(file, packageId!);
  if (call.args.action === 'Add') {
    assertNoConditions(call, file);
    assertNotLower(call, before);
  }
  const previousVersion = declaredVersion(call);
  const isUpdate = call.args.action === 'Update';
  const label = isUpdate ? 'Updating the package' : 'Adding the package';
  const run = await runCli({ label, commandArgs: addArguments }, call).catch(
    blamingOthers({
      done: isUpdate ? 'updated' : 'added',
      packageIds: [`${packageId}${call.args.version === undefined ? '' : `@${call.args.version}`}`],
    }),
  );
  const resolvedVersion = /PackageReference for package '.+?' version '([^']+)'/.exec(run.output)?.[1];
  const version = resolvedVersion ?? declaredVersion(call);
  const isSame = previousVersion !== undefined && previousVersion === version;
  const after = file === undefined ? undefined : centralVersionOf(file, packageId!);
  const others = before === undefined || before.version === after?.version ? [] : (after?.projects ?? []);
  const summary = added(packageId!, choiceOf(call.args, version, before), previousVersion);
  const answer = changed(
    summary,
    {
      ...(isSame && { changed: false }),
      packageId,
      ...(version && { version }),
      ...(previousVersion && { previousVersion }),
      ...(project !== undefined && { project }),
      ...(others.length > 0 && { affectedProjects: others }),
    },
    {
      notes: [...(await changedLines(call)), ...(others.length > 0 ? [affects(call, others)] : [])],
      command: run.command,
    },
  );
  return withWarnings(answer, parseDiagnostics(run.output));
}

/** The version of a package that a call installs. */
interface VersionChoice {
  readonly version: string | undefined;
  /** The reason for this version if the call did not name it. */
  readonly reason?: string;
}

function choiceOf(args: Arguments, version: string | undefined, before: CentralVersion | undefined): VersionChoice {
  if (args.version !== undefined || version === undefined) return { version };
  if (before?.version === version && args.action === 'Add') return { version, reason: 'central version' };
  return { version, reason: newestOf(args) };
}

function added(packageId: string, { version, reason }: VersionChoice, previousVersion: string | undefined): string {
  const chosen = reason === undefined ? version : `${version} (${reason})`;
  if (previousVersion === undefined) return `Added ${packageId}${chosen === undefined ? '' : ` ${chosen}`}`;
  if (version === previousVersion) return `${packageId} ${chosen} was referenced already`;
  return `Updated ${packageId} from ${previousVersion} to ${chosen}`;
}

/** Reads the version of the package from the project or from its central file. */
function declaredVersion(call: ActionContext): string | undefined {
  const { project, packageId } = call.args;
  if (isFile(project)) return directiveVersion(call.resolve(project), packageId!);
  const file = projectFile(call);
  if (file === undefined || !isReferenced(file, call.args.packageId!)) return undefined;
  const central = centralVersionsFile(dirname(file));
  return referencedVersion(file, call.args.packageId!) ?? (central && referencedVersion(central, call.args.packageId!));
}

/** Reads the version from the directive `#:package ID@version` in a C# file. */
function directiveVersion(file: string, packageId: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const directives = readRegularText(file).matchAll(/^[ \t]*#:package\s+([^\s@]+)@(\S+)/gm);
  return [...directives].find(([, id]) => isSameName(id!, packageId))?.[2];
}

function isReferenced(file: string, packageId: string): boolean {
  return referencedPackages(file).some((id) => isSameName(id, packageId));
}

function projectFile(call: ActionContext): string | undefined {
  return findProject(call.resolve(call.args.project ?? '.'));
}

async function removeFromProject(call: ActionContext): Promise<ActionResult> {
  const { packageId, project } = call.args;
  const file = projectFile(call);
  const previousVersion = declaredVersion(call);
  const commandArgs = () => packageCommand('remove', call.args);
  const isSuccess = (run: CommandRun) => run.exitCode === 0 || isNotReferenced(run);
  const run = await runCli({ label: 'Removing the package', commandArgs, isSuccess }, call);
  if (run.exitCode !== 0) {
    const data = { changed: false, packageId, ...(project !== undefined && { project }) };
    return changed(`${project ?? 'The project'} does not reference ${packageId}`, data, { command: run.command });
  }
  const central = file && centralVersionsFile(dirname(file));
  const [leftOver] = central === undefined ? [] : versionDeclarations(central, packageId!);
  return changed(
    `Removed ${packageId}`,
    {
      packageId,
      ...(previousVersion && { previousVersion }),
      ...(project !== undefined && { project }),
    },
    {
      notes: [
        ...(await changedLines(call)),
        ...(leftOver ? [`Its PackageVersion remains in ${placeOf(call, leftOver)}`] : []),
      ],
      command: run.command,
    },
  );
}

/** Removes a package from a project, or from each project of a solution that references it. */
export function removePackage(call: ActionContext): Promise<ActionResult> {
  const solution = solutionAt(call.resolve(call.args.project ?? '.'));
  return solution === undefined ? removeFromProject(call) : removeFromAll(call, solution);
}

/** Runs `dotnet remove`, which takes only a project, for each project of a solution that references the package. */
async function removeFromAll(call: ActionContext, solution: string): Promise<ActionResult> {
  const { packageId } = call.args;
  const name = relativePath(call.cwd, solution);
  const projects = readSolution(solution)
    .map(({ absolutePath }) => absolutePath)
    .filter((file) => existsSync(file) && isReferenced(file, packageId!));
  const data = { packageId, project: name };
  if (projects.length === 0)
    return changed(`No project of ${name} references ${packageId}`, { ...data, changed: false });
  const answers: ActionResult[] = [];
  for (const project of projects) answers.push(await removeFromProject(withArgs(call, { ...call.args, project })));
  const notes = answers.flatMap((answer) => ('note' in answer.data ? String(answer.data.note).split('\n') : []));
  const { command } = answers.at(-1)!;
  return changed(
    `Removed ${packageId} from ${projectNames(projects, call)}`,
    { ...data, affectedProjects: projects },
    { notes: [...new Set(notes)], ...(command !== undefined && { command }) },
  );
}

/** True if `remove package` exited with 1 because the package is not referenced. */
const isNotReferenced = ({ output }: CommandRun) => /does not contain any PackageReference/i.test(output);
