import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { ActionContext, ActionResult } from '../actions/action.js';
import { options, positional } from '../actions/cli-action.js';
import { commandFailed } from '../actions/command-failed.js';
import { withLock } from '../actions/run-action.js';
import { counted } from '../advice/diagnostic-fields.js';
import { loadProject, type ProjectSource } from '../analysis/load-project.js';
import { lockTargetFor } from '../locks/lock-target.js';
import { assetsPath } from '../nuget/assets.js';
import { VersionPlaces } from '../nuget/package-versions.js';
import { type ListedPackage, type PackageList, parsePackageList } from '../nuget/packages.js';
import type { CommandRun } from '../process/command-run.js';
import { findProject } from '../project-files/find-project.js';
import { isSolutionPath } from '../project-files/solution-file.js';
import { asData, type ProjectPackages, packageLines, packagesByProject } from './packages-by-project.js';
import { projectOrSolution, type ReadPackages, readPackages } from './read-packages.js';
import { suggestRestore } from './shared/suggest-restore.js';

/**
 * Implements `dotnet_package` List. The CLI runs only for facts that package sources know; everything else is read from
 * files (docs/spec/dotnet-results.md#package-list).
 */
export async function listPackages(call: ActionContext): Promise<ActionResult> {
  const { outdated, deprecated, vulnerable } = call.args;
  const isPlain = !outdated && !deprecated && !vulnerable;
  const readResult = isPlain ? await readPackages(call) : undefined;
  if (readResult) return readAnswer(call, readResult);
  const { run, list } = await askCli(call, listArguments(call));
  return packageAnswer(call, list, run);
}

/** Lists vulnerable packages. The text names the sources, because a source can have no data about vulnerabilities. */
export async function auditPackages(call: ActionContext): Promise<ActionResult> {
  const { project, framework } = call.args;
  const commandArgs = [
    ...['list', ...positional(project), 'package', '--vulnerable', '--include-transitive'],
    ...options(['--framework', framework]),
  ];
  const { run, list } = await askCli(call, commandArgs);
  const vulnerable = withPlaces(
    call,
    list.packages.filter(({ vulnerabilities }) => vulnerabilities !== undefined),
  );
  const lines = vulnerable.map(({ name, resolvedVersion, vulnerabilities = [], declaredAt = [] }) => {
    const advisories = vulnerabilities.map(({ severity, advisoryUrl }) => `${severity} ${advisoryUrl}`);
    const places = declaredAt.length > 0 ? `, declared at ${declaredAt.join(', ')}` : '';
    return `${name} ${resolvedVersion}: ${advisories.join(', ')}${places}`;
  });
  const sourceList = list.sources.join(', ');
  const count =
    sourceList === ''
      ? 'No package source was checked for vulnerabilities, so it is not known whether there are any'
      : `${counted(vulnerable.length, 'vulnerable package')} known to ${sourceList} (a source may have no such data)`;
  const { problems, sources } = list;
  const text = [...lines, count, ...problems.map((problem) => `Warning: ${problem}`)].join('\n');
  return {
    data: { packages: vulnerable, sources, ...(problems.length > 0 && { problems }) },
    text,
    command: run.command,
    output: text,
  };
}

const MACHINE = { ownArgs: ['--format', 'json', '--no-restore'] };

function listArguments({ args }: ActionContext): string[] {
  return [
    ...['list', ...positional(args.project), 'package'],
    ...options(
      ['--outdated', args.outdated],
      ['--deprecated', args.deprecated],
      ['--vulnerable', args.vulnerable],
      ['--include-transitive', args.includeTransitive],
      ['--framework', args.framework],
    ),
  ];
}

/** Restores under the lock, which the call may already hold. @throws ActionError with the diagnostics of NuGet */
async function restore(call: ActionContext): Promise<void> {
  const work = async () => {
    const run = await call.dotnet(['restore', ...positional(call.args.project)]);
    if (run.terminatedBy !== 'exited' || run.exitCode !== 0) throw commandFailed(run, { label: 'Restore' });
  };
  if (call.lockInfo) return work();
  await withLock(call, 'restore', [lockTargetFor(call.args.project, call.cwd)], work);
}

/**
 * Lists packages with the CLI. If a project is not restored, or its restore failed or is out of date, restores it under
 * the lock and runs the CLI again, because the CLI omits packages that were never resolved (SDK 10).
 * @throws ActionError if the restore or the command fails
 */
export async function askCli(
  call: ActionContext,
  commandArgs: readonly string[],
): Promise<{ run: CommandRun; list: PackageList }> {
  let run = await call.dotnet(commandArgs, MACHINE);
  const first = parsePackageList(run.stdout);
  if (first && (first.needsRestore || (await isAnyStale(call, first.projects)))) {
    await restore(call);
    run = await call.dotnet(commandArgs, MACHINE);
  }
  const list = parsePackageList(run.stdout);
  if (run.terminatedBy !== 'exited' || run.exitCode !== 0 || !list) {
    const problemText = list?.problems.join('\n') ?? '';
    throw commandFailed(
      { ...run, ...(problemText !== '' && { stderr: problemText }) },
      { label: 'Listing the packages' },
    );
  }
  return { run, list };
}

/**
 * Returns the result of a plain list. If a project is not restored, a note says that its resolved versions are unknown.
 */
function readAnswer(call: ActionContext, { packages, problems, unrestored }: ReadPackages): ActionResult {
  const answer = packageAnswer(call, { packages, problems, sources: [] }, undefined);
  if (unrestored.length === 0) return answer;
  const suggestion = suggestRestore(call.args, call.args.project);
  const note = `Not restored, or changed since: ${unrestored.join(', ')}. Requested versions are listed; resolved and transitive ones are known after a restore.`;
  return {
    ...answer,
    data: { ...answer.data, restored: false, note, recommendedAction: suggestion.action },
    text: [answer.text, note, suggestion.text].join('\n'),
    output: [answer.text, note, suggestion.text].join('\n'),
  };
}

async function isAnyStale(call: ActionContext, projects: readonly string[]): Promise<boolean> {
  const source = call.services.projects(call);
  const single = findProject(call.resolve(call.args.project ?? '.'));
  if (single !== undefined) return !(await loadProject(source, single, { properties: [], itemTypes: [] })).restored;
  const states = await Promise.all(projects.map((project) => isStale(source, project)));
  return states.includes(true);
}

/**
 * True if the assets file shows that the project was not restored, the restore failed, or the project was edited later.
 */
async function isStale({ evaluate, readAssets }: ProjectSource, project: string): Promise<boolean> {
  if (!existsSync(project)) return false;
  const defaultPath = join(dirname(project), 'obj', 'project.assets.json');
  const query = { properties: ['ProjectAssetsFile'], itemTypes: [] };
  const path = existsSync(defaultPath) ? defaultPath : assetsPath(await evaluate(project, query));
  if (path === '') return false;
  const assets = await readAssets(path);
  if (!assets || assets.logs?.some(({ level }) => level === 'Error')) return true;
  return statSync(path).mtimeMs < statSync(project).mtimeMs;
}

/** True if the result needs `projects[]`, because the packages come from several groups or from a solution. */
function needsProjects(call: ActionContext, projects: readonly ProjectPackages[]): boolean {
  const target = projects.length === 1 ? projectOrSolution(call) : undefined;
  return projects.length > 1 || (target !== undefined && isSolutionPath(target));
}

function packageAnswer(
  call: ActionContext,
  { packages, problems, sources }: Pick<PackageList, 'packages' | 'problems' | 'sources'>,
  run: CommandRun | undefined,
): ActionResult {
  const { args } = call;
  const { filter, maxResults, outdated, deprecated, vulnerable, framework } = args;
  const isPlain = !outdated && !deprecated && !vulnerable && framework === undefined;
  const member = (item: ListedPackage) => asMember(item, isPlain);
  const isLike = ({ name }: ListedPackage) => filter === undefined || name.toLowerCase().includes(filter.toLowerCase());
  const matches = withPlaces(call, packages.filter(isLike));
  const keyOf = (item: ListedPackage) => JSON.stringify({ ...member(item), declaredAt: undefined });
  const listed = new Map<string, ListedPackage>();
  for (const match of matches) {
    const same = listed.get(keyOf(match));
    if (same || listed.size < (maxResults ?? Number.POSITIVE_INFINITY))
      listed.set(keyOf(match), withPlacesOf(member(match), same));
  }
  const shown = matches.filter((match) => listed.has(keyOf(match)));
  const projects = packagesByProject(shown);
  const warnings = problems.map((problem) => `Warning: ${problem}`);
  const text = [
    ...(shown.length > 0 ? packageLines(shown) : [nothingFound(args)]),
    ...(!isPlain && sources.length > 0 ? [`Sources: ${sources.join(', ')}`] : []),
    ...warnings,
  ].join('\n');
  return {
    data: {
      packages: [...listed.values()],
      ...(needsProjects(call, projects) && { projects: projects.map(asData) }),
      ...(!isPlain && sources.length > 0 && { sources }),
      ...(problems.length > 0 && { problems }),
    },
    text,
    // The output of the command itself is JSON.
    output: text,
    ...(run && { command: run.command }),
  };
}

/** The maximum number of places of a package in `packages[]`. The text has the places of all projects. */
const MAX_PLACES = 10;

/** Adds the places that declare the requested versions. Transitive packages have none. */
function withPlaces({ cwd }: ActionContext, packages: readonly ListedPackage[]): ListedPackage[] {
  const places = new VersionPlaces();
  return packages.map((item) => {
    const { name, project, requestedVersion, transitive } = item;
    if (project === undefined || requestedVersion === undefined || transitive) return item;
    const place = places.placeOf(project, name, requestedVersion);
    return place ? { ...item, declaredAt: [`${relative(cwd, place.file)}:${place.line}`] } : item;
  });
}

/** Joins the places of a package that several projects reference. */
function withPlacesOf(item: ListedPackage, same: ListedPackage | undefined): ListedPackage {
  const declaredAt = [...new Set([...(same?.declaredAt ?? []), ...(item.declaredAt ?? [])])].slice(0, MAX_PLACES);
  return { ...item, ...(declaredAt.length > 0 && { declaredAt }) };
}

/**
 * Returns the entry of `packages[]` in the published contract. A plain list has no further members
 * (docs/spec/dotnet-results.md#package-list-extras).
 */
function asMember(item: ListedPackage, isPlain: boolean): ListedPackage {
  const { project: _project, ...member } = item;
  if (!isPlain) return member;
  const { framework: _framework, ...fields } = member;
  return fields;
}

function nothingFound({ outdated, deprecated, vulnerable }: ActionContext['args']): string {
  if (vulnerable) return 'No package is known as vulnerable to these sources (a source may have no such data)';
  if (deprecated) return 'No package is known as deprecated to these sources (a source may have no such data)';
  return outdated ? 'No package is outdated' : 'No packages';
}
