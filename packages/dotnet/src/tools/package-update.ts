import { dirname } from 'node:path';
import { type ActionContext, ActionError, type ActionResult, changed } from '../actions/action.js';
import { changedLines } from '../actions/changed-lines.js';
import { options, positional, runCli } from '../actions/cli-action.js';
import type { Arguments } from '../actions/parameters.js';
import { withWarnings } from '../actions/with-warnings.js';
import { counted } from '../advice/diagnostic-fields.js';
import { parseDiagnostics } from '../diagnostics/parse/parse-diagnostics.js';
import { centralVersionOf } from '../nuget/central-version.js';
import { centralVersionsFile, referencedPackages, referencedVersion } from '../nuget/package-versions.js';
import { compareVersions } from '../nuget/version-range.js';
import type { CommandRun } from '../process/command-run.js';
import { findProject, projectName } from '../project-files/find-project.js';
import { isSameName } from '../project-files/msbuild-syntax.js';
import { relativePath } from '../project-files/relative-path.js';
import { affects, newestOf, projectNames } from './central-change.js';
import { blamingOthers } from './other-packages.js';
import { askCli } from './package-list.js';
import { projectsOf, solutionAt } from './shared/projects-of.js';

/** A package that was updated, or would be updated (dryRun). */
interface PackageUpdate {
  readonly packageId: string;
  readonly previousVersion: string;
  readonly version: string;
  /** The absolute paths of the projects. */
  readonly projects: string[];
}

/** True if the call needs more than `dotnet add package`, which handles only one package of one project. */
export function needsUpdateCommand(call: ActionContext): boolean {
  const { packageId, version, dryRun } = call.args;
  const path = call.resolve(call.args.project ?? '.');
  if (packageId === undefined || dryRun || solutionAt(path) !== undefined) return true;
  const file = findProject(path);
  if (file === undefined) return false;
  const isReferenced = referencedPackages(file).some((id) => isSameName(id, packageId));
  return version === undefined && isReferenced && centralVersionOf(file, packageId) !== undefined;
}

/**
 * Implements `dotnet_package` Update for a solution, for several or all packages, for a central version, and for
 * dryRun.
 */
export async function updatePackages(call: ActionContext): Promise<ActionResult> {
  const { dryRun, prerelease } = call.args;
  const projects = projectsOf(call);
  const requested = requestedOf(call.args);
  const asksForNewest = requested.some(({ version }) => version === undefined) || requested.length === 0;
  if (dryRun) return answerOf(call, await outdated(call, projects));
  await assertKnowsUpdate(call);
  const isPrerelease = prerelease && asksForNewest;
  const updates = isPrerelease ? (await outdated(call, projects)).updates : requested;
  if (isPrerelease && updates.length === 0) return answerOf(call, { updates: [] });
  const ids = updates.map(asArgument);
  const commandArgs = ({ project }: Arguments) => ['package', 'update', ...ids, ...options(['--project', project])];
  const run = await runCli({ label: 'Updating the packages', commandArgs, isSuccess }, call).catch(
    blamingOthers({ done: 'updated', packageIds: requested.map(asArgument) }),
  );
  return withWarnings(
    await answerOf(call, { run, updates: updatesInOutput(run, projects) }),
    parseDiagnostics(run.output),
  );
}

interface RequestedPackage {
  readonly packageId: string;
  /** Undefined for the newest version. */
  readonly version?: string | undefined;
}

/** Returns the packages in `packageId` or `packageIds`; empty for all packages. */
function requestedOf({ packageId, packageIds, version }: Arguments): RequestedPackage[] {
  const listed = packageIds?.map((idAndVersion) => {
    const [id = '', ownVersion] = idAndVersion.split('@');
    return { packageId: id, version: ownVersion };
  });
  return listed ?? (packageId === undefined ? [] : [{ packageId, version }]);
}

const asArgument = ({ packageId, version }: RequestedPackage) =>
  version === undefined ? packageId : `${packageId}@${version}`;

/** The exit code is 2 if there is nothing to update (SDK 10). */
const isSuccess = ({ exitCode, output }: CommandRun) =>
  exitCode === 0 || (exitCode === 2 && /^All packages are up to date/m.test(output));

interface Updates {
  readonly run?: CommandRun;
  readonly updates: readonly PackageUpdate[];
}

/**
 * Returns the possible updates: to the newest versions that the sources have or, for a requested version, to that one.
 */
async function outdated(call: ActionContext, projects: readonly string[]): Promise<Updates> {
  const { project, prerelease } = call.args;
  const requested = requestedOf(call.args);
  const pinned = requested.flatMap(({ packageId, version }) => (version === undefined ? [] : [{ packageId, version }]));
  const pinnedUpdates = pinned.flatMap((update) =>
    projects.flatMap((file) => versionsIn(file, update.packageId)).map((current) => ({ ...current, ...update })),
  );
  if (pinned.length > 0 && pinned.length === requested.length) return { updates: merged(pinnedUpdates) };
  const newest = requested.filter(({ version }) => version === undefined);
  const commandArgs = [
    'list',
    ...positional(project),
    'package',
    '--outdated',
    ...options(['--include-prerelease', prerelease]),
  ];
  const { run, list } = await askCli(call, commandArgs);
  const newestUpdates = list.packages.flatMap((listed) => {
    const { name, requestedVersion, resolvedVersion, latestVersion, project: file } = listed;
    const previousVersion = resolvedVersion ?? requestedVersion;
    const isRequested = newest.length === 0 || newest.some(({ packageId }) => isSameName(name, packageId));
    if (!isRequested || latestVersion === undefined || previousVersion === undefined || file === undefined) return [];
    if ((compareVersions(latestVersion, previousVersion) ?? 1) <= 0) return [];
    return [{ packageId: name, previousVersion, version: latestVersion, project: file }];
  });
  return { run, updates: merged([...pinnedUpdates, ...newestUpdates]) };
}

function versionsIn(file: string, packageId: string): { project: string; previousVersion: string }[] {
  if (!referencedPackages(file).some((id) => isSameName(id, packageId))) return [];
  const central = centralVersionsFile(dirname(file));
  const version = referencedVersion(file, packageId) ?? (central && referencedVersion(central, packageId));
  return version === undefined ? [] : [{ project: file, previousVersion: version }];
}

/** Parses the updates in the output: `  App:`, and below it `    Updating Name 1.0.0 to 2.0.0.` (SDK 10). */
function updatesInOutput({ output }: CommandRun, projects: readonly string[]): PackageUpdate[] {
  let project: string | undefined;
  const updates = output.split(/\r?\n/).flatMap((line) => {
    const heading = /^ {2}(\S.*):$/.exec(line)?.[1];
    if (heading !== undefined) project = projects.find((path) => projectName(path) === heading) ?? heading;
    const [, packageId, previousVersion, version] = /^ {4,}Updating (\S+) (\S+) to (\S+)\.$/.exec(line) ?? [];
    return packageId === undefined || project === undefined
      ? []
      : [{ packageId, previousVersion: previousVersion!, version: version!, project }];
  });
  return merged(updates);
}

type ProjectUpdate = Omit<PackageUpdate, 'projects'> & { readonly project: string };

/** Joins the projects of equal updates, and removes updates that change no version. */
function merged(updates: readonly ProjectUpdate[]): PackageUpdate[] {
  const byUpdate = new Map<string, PackageUpdate>();
  for (const { project, ...update } of updates) {
    if (update.previousVersion === update.version) continue;
    const key = JSON.stringify(update);
    const existing = byUpdate.get(key);
    if (!existing) byUpdate.set(key, { ...update, projects: [project] });
    else if (!existing.projects.includes(project)) existing.projects.push(project);
  }
  return [...byUpdate.values()];
}

function nothingToDo(call: ActionContext): string {
  const { packageId, packageIds } = call.args;
  if (packageIds !== undefined) return `${packageIds.join(', ')}: up to date`;
  if (packageId === undefined) return 'All packages are up to date';
  const isReferenced = projectsOf(call).some((file) => versionsIn(file, packageId).length > 0);
  return isReferenced ? `${packageId} is up to date` : `${packageId} is not referenced with a version`;
}

async function answerOf(call: ActionContext, { run, updates }: Updates): Promise<ActionResult> {
  const { packageId, project, dryRun } = call.args;
  const verb = dryRun ? 'Would update' : 'Updated';
  const lines = updates.map((update) => `${verb} ${updateText(update, call)}`);
  const newest = requestedOf(call.args).every(({ version }) => version === undefined)
    ? ` (${newestOf(call.args)})`
    : '';
  const centralUsers = dryRun
    ? []
    : updates.map(({ projects, packageId: id }) => centralVersionOf(projects[0]!, id)?.projects ?? []);
  const affected = [...new Set(centralUsers.flat())].sort();
  const [only] = updates.length === 1 ? updates : [];
  const noUpdateSummary = nothingToDo(call);
  const summary =
    lines.length === 0
      ? noUpdateSummary
      : (lines.length === 1 && lines[0]) || `${verb} ${counted(lines.length, 'package')}${newest}`;
  return changed(
    summary,
    {
      ...((dryRun || updates.length === 0) && { changed: false }),
      ...(packageId !== undefined && { packageId }),
      ...(only && { version: only.version, previousVersion: only.previousVersion }),
      ...(project !== undefined && { project }),
      updates,
      ...(affected.length > 0 && { affectedProjects: affected }),
    },
    {
      notes: [
        ...(dryRun && lines.length > 1 ? lines : []),
        ...(await changedLines(call, { withName: lines.length > 1 })),
        ...(affected.length > 0 ? [affects(call, affected)] : []),
      ],
      ...(run && { command: run.command }),
    },
  );
}

/**
 * Returns for example `Dapper from 2.1.35 to 2.1.66 (newest stable) in App/App.csproj`. For a central version it names
 * the central file.
 */
function updateText({ packageId, previousVersion, version, projects }: PackageUpdate, call: ActionContext): string {
  const isNamed = requestedOf(call.args).some(
    (requested) => isSameName(requested.packageId, packageId) && requested.version,
  );
  const chosen = isNamed ? version : `${version} (${newestOf(call.args)})`;
  const central = centralVersionOf(projects[0]!, packageId);
  const where = central ? relativePath(call.cwd, central.file) : projectNames(projects, call);
  return `${packageId} from ${previousVersion} to ${chosen} in ${where}`;
}

/** @throws ActionError if the SDK has no `dotnet package update` */
async function assertKnowsUpdate(call: ActionContext): Promise<void> {
  const { exitCode, stdout } = await call.services.sdk.version(call.cwd, !call.isReadOnly);
  const major = exitCode === 0 ? Number.parseInt(stdout, 10) : Number.NaN;
  if (!(major < FIRST_WITH_UPDATE)) return;
  const feature = 'package update';
  const reason = `SDK ${stdout.trim()} has no command that updates several packages, projects or a central version`;
  throw new ActionError(`The '${feature}' capability is not available: ${reason}`, {
    code: 'CAPABILITY_NOT_AVAILABLE',
    alternatives: ['Update one package of one project, with its version.'],
    data: { exitCode: -1, additionalData: { feature, reason } },
  });
}

/** The first major version of the SDK that has `dotnet package update`. */
const FIRST_WITH_UPDATE = 10;
