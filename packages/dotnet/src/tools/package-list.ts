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
 * `dotnet_package` List: from files, and only what sources know from the CLI
 * (docs/spec/dotnet-results.md#package-list).
 */
export async function listPackages(call: ActionContext): Promise<ActionResult> {
  const { outdated, deprecated, vulnerable } = call.args;
  const isPlain = !outdated && !deprecated && !vulnerable;
  const read = isPlain ? await readPackages(call) : undefined;
  if (read) return readAnswer(call, read);
  const { run, list } = await askCli(call, listArguments(call));
  return packageAnswer(call, list, run);
}

/** Vulnerable packages; a source that has no data on vulnerabilities is named, and never means that there are none. */
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

/** Under the lock, which an action that changes packages holds already. @throws ActionError with the diagnostics of NuGet */
async function restore(call: ActionContext): Promise<void> {
  const work = async () => {
    const run = await call.dotnet(['restore', ...positional(call.args.project)]);
    if (run.terminatedBy !== 'exited' || run.exitCode !== 0) throw commandFailed(run, { label: 'Restore' });
  };
  if (call.lockInfo) return work();
  await withLock(call, 'restore', [lockTargetFor(call.args.project, call.cwd)], work);
}

/**
 * Runs the CLI. If it requires a restore, or would use a restore that failed or is out of date, restores under
 * the lock and runs it again, because the CLI omits packages that were never resolved (SDK 10).
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

/** What a plain list is without a restore: which versions were resolved is not known. */
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

/** Whether the files of a project show that it was not restored, the restore failed, or it is older than the last edit. */
async function isStale({ evaluate, readAssets }: ProjectSource, project: string): Promise<boolean> {
  if (!existsSync(project)) return false;
  const usual = join(dirname(project), 'obj', 'project.assets.json');
  const query = { properties: ['ProjectAssetsFile'], itemTypes: [] };
  const path = existsSync(usual) ? usual : assetsPath(await evaluate(project, query));
  if (path === '') return false;
  const assets = await readAssets(path);
  if (!assets || assets.logs?.some(({ level }) => level === 'Error')) return true;
  return statSync(path).mtimeMs < statSync(project).mtimeMs;
}

/** Whether `packages[]` alone does not say which project, and for which framework, references a package. */
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
  const member = (one: ListedPackage) => asMember(one, isPlain);
  const isLike = ({ name }: ListedPackage) => filter === undefined || name.toLowerCase().includes(filter.toLowerCase());
  const like = withPlaces(call, packages.filter(isLike));
  const keyOf = (one: ListedPackage) => JSON.stringify({ ...member(one), declaredAt: undefined });
  const listed = new Map<string, ListedPackage>();
  for (const one of like) {
    const same = listed.get(keyOf(one));
    if (same || listed.size < (maxResults ?? Number.POSITIVE_INFINITY))
      listed.set(keyOf(one), withPlacesOf(member(one), same));
  }
  const shown = like.filter((one) => listed.has(keyOf(one)));
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
    // The command was asked for JSON.
    output: text,
    ...(run && { command: run.command }),
  };
}

/** `packages[]` names at most this many places of a package; the text names those of all projects. */
const MAX_PLACES = 10;

/** Packages with the place that declares their requested version; what other packages bring has none. */
function withPlaces({ cwd }: ActionContext, packages: readonly ListedPackage[]): ListedPackage[] {
  const places = new VersionPlaces();
  return packages.map((one) => {
    const { name, project, requestedVersion, transitive } = one;
    if (project === undefined || requestedVersion === undefined || transitive) return one;
    const place = places.placeOf(project, name, requestedVersion);
    return place ? { ...one, declaredAt: [`${relative(cwd, place.file)}:${place.line}`] } : one;
  });
}

/** The package of several projects, with the places of all of them. */
function withPlacesOf(one: ListedPackage, same: ListedPackage | undefined): ListedPackage {
  const declaredAt = [...new Set([...(same?.declaredAt ?? []), ...(one.declaredAt ?? [])])].slice(0, MAX_PLACES);
  return { ...one, ...(declaredAt.length > 0 && { declaredAt }) };
}

/** As the published contract has it; only what was asked for is added (docs/spec/dotnet-results.md#package-list-extras). */
function asMember(one: ListedPackage, isPlain: boolean): ListedPackage {
  const { project: _project, ...member } = one;
  if (!isPlain) return member;
  const { framework: _framework, ...fields } = member;
  return fields;
}

function nothingFound({ outdated, deprecated, vulnerable }: ActionContext['args']): string {
  if (vulnerable) return 'No package is known as vulnerable to these sources (a source may have no such data)';
  if (deprecated) return 'No package is known as deprecated to these sources (a source may have no such data)';
  return outdated ? 'No package is outdated' : 'No packages';
}
