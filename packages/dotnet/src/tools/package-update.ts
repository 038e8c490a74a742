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

/** One package that was, or would be, updated. */
interface PackageUpdate {
  readonly packageId: string;
  readonly previousVersion: string;
  readonly version: string;
  /** Absolute. */
  readonly projects: string[];
}

/** Whether the call needs more than `dotnet add package`, which handles one package of one project. */
export function needsUpdateCommand(call: ActionContext): boolean {
  const { packageId, version, dryRun } = call.args;
  const path = call.resolve(call.args.project ?? '.');
  if (packageId === undefined || dryRun || solutionAt(path) !== undefined) return true;
  const file = findProject(path);
  if (file === undefined) return false;
  const isReferenced = referencedPackages(file).some((id) => isSameName(id, packageId));
  return version === undefined && isReferenced && centralVersionOf(file, packageId) !== undefined;
}

/** `dotnet_package` Update of a solution, of all packages, of a central version, or as a question (dryRun). */
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
  /** Undefined: the newest. */
  readonly version?: string | undefined;
}

/** The packages of the call, `packageId` or `packageIds`; empty: all. */
function requestedOf({ packageId, packageIds, version }: Arguments): RequestedPackage[] {
  const several = packageIds?.map((idAndVersion) => {
    const [id = '', own] = idAndVersion.split('@');
    return { packageId: id, version: own };
  });
  return several ?? (packageId === undefined ? [] : [{ packageId, version }]);
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

/** What could be updated, as the sources have it; with a version, what has another one now. */
async function outdated(call: ActionContext, projects: readonly string[]): Promise<Updates> {
  const { project, prerelease } = call.args;
  const requested = requestedOf(call.args);
  const pinned = requested.flatMap(({ packageId, version }) => (version === undefined ? [] : [{ packageId, version }]));
  const ofPinned = pinned.flatMap((one) =>
    projects.flatMap((file) => versionsIn(file, one.packageId)).map((found) => ({ ...found, ...one })),
  );
  if (pinned.length > 0 && pinned.length === requested.length) return { updates: merged(ofPinned) };
  const newest = requested.filter(({ version }) => version === undefined);
  const commandArgs = [
    'list',
    ...positional(project),
    'package',
    '--outdated',
    ...options(['--include-prerelease', prerelease]),
  ];
  const { run, list } = await askCli(call, commandArgs);
  const found = list.packages.flatMap(({ name, requestedVersion, resolvedVersion, latestVersion, project: file }) => {
    const previousVersion = resolvedVersion ?? requestedVersion;
    const isRequested = newest.length === 0 || newest.some(({ packageId }) => isSameName(name, packageId));
    if (!isRequested || latestVersion === undefined || previousVersion === undefined || file === undefined) return [];
    if ((compareVersions(latestVersion, previousVersion) ?? 1) <= 0) return [];
    return [{ packageId: name, previousVersion, version: latestVersion, project: file }];
  });
  return { run, updates: merged([...ofPinned, ...found]) };
}

function versionsIn(file: string, packageId: string): { project: string; previousVersion: string }[] {
  if (!referencedPackages(file).some((id) => isSameName(id, packageId))) return [];
  const central = centralVersionsFile(dirname(file));
  const version = referencedVersion(file, packageId) ?? (central && referencedVersion(central, packageId));
  return version === undefined ? [] : [{ project: file, previousVersion: version }];
}

/** `  App:` and below it `    Updating Name 1.0.0 to 2.0.0.` (SDK 10). */
function updatesInOutput({ output }: CommandRun, projects: readonly string[]): PackageUpdate[] {
  let project: string | undefined;
  const found = output.split(/\r?\n/).flatMap((line) => {
    const heading = /^ {2}(\S.*):$/.exec(line)?.[1];
    if (heading !== undefined) project = projects.find((path) => projectName(path) === heading) ?? heading;
    const [, packageId, previousVersion, version] = /^ {4,}Updating (\S+) (\S+) to (\S+)\.$/.exec(line) ?? [];
    return packageId === undefined || project === undefined
      ? []
      : [{ packageId, previousVersion: previousVersion!, version: version!, project }];
  });
  return merged(found);
}

/** Each package once for each change of version, with its projects. */
function merged(found: readonly (Omit<PackageUpdate, 'projects'> & { readonly project: string })[]): PackageUpdate[] {
  const updates = new Map<string, PackageUpdate>();
  for (const { project, ...update } of found) {
    if (update.previousVersion === update.version) continue;
    const key = JSON.stringify(update);
    const existing = updates.get(key);
    if (!existing) updates.set(key, { ...update, projects: [project] });
    else if (!existing.projects.includes(project)) existing.projects.push(project);
  }
  return [...updates.values()];
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
  const lines = updates.map((one) => `${verb} ${updateText(one, call)}`);
  const newest = requestedOf(call.args).every(({ version }) => version === undefined)
    ? ` (${newestOf(call.args)})`
    : '';
  const central = dryRun ? [] : updates.map((one) => centralVersionOf(one.projects[0]!, one.packageId)?.projects ?? []);
  const affected = [...new Set(central.flat())].sort();
  const [only] = updates.length === 1 ? updates : [];
  const none = nothingToDo(call);
  const summary =
    lines.length === 0
      ? none
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

/** `Dapper from 2.1.35 to 2.1.66 (newest stable) in App/App.csproj`; a central version is in its file. */
function updateText({ packageId, previousVersion, version, projects }: PackageUpdate, call: ActionContext): string {
  const isNamed = requestedOf(call.args).some((one) => isSameName(one.packageId, packageId) && one.version);
  const chosen = isNamed ? version : `${version} (${newestOf(call.args)})`;
  const central = centralVersionOf(projects[0]!, packageId);
  const where = central ? relativePath(call.cwd, central.file) : projectNames(projects, call);
  return `${packageId} from ${previousVersion} to ${chosen} in ${where}`;
}

/** @throws ActionError where the SDK has no `dotnet package update` */
async function assertKnowsUpdate(call: ActionContext): Promise<void> {
  const { exitCode, stdout } = await call.services.sdk.version(call.cwd, !call.isLooking);
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

const FIRST_WITH_UPDATE = 10;
