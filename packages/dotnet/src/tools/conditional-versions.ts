import { dirname } from 'node:path';
import { type ActionContext, type ActionResult, changed } from '../actions/action.js';
import { changedLines } from '../actions/changed-lines.js';
import { positional, runCli } from '../actions/cli-action.js';
import { InvalidParameterError } from '../actions/invalid-parameter.js';
import { centralVersionOf } from '../nuget/central-version.js';
import { centralVersionsFile, type VersionDeclaration, versionDeclarations } from '../nuget/package-versions.js';
import { setMetadata } from '../project-files/edit-project.js';
import { readTextFile, writeTextFile } from '../project-files/text-file.js';
import { affects, versionPlace } from './central-change.js';
import { projectsOf } from './shared/projects-of.js';

/**
 * Returns the central versions of a package if one of them is under a condition; otherwise an empty list. For such a
 * package `package add` would add a further entry, and `package update` would change nothing (SDK 10).
 */
function conditionalEntries(projects: readonly string[], packageId: string): VersionDeclaration[] {
  const users = projects.filter((project) => centralVersionOf(project, packageId) !== undefined);
  const files = new Set(users.flatMap((project) => centralVersionsFile(dirname(project)) ?? []));
  const entries = [...files].flatMap((file) => versionDeclarations(file, packageId));
  return entries.some(({ isConditional }) => isConditional) ? entries : [];
}

/**
 * Updates a central version that has entries under conditions: each entry gets the version of the call. If the restore
 * fails, the files get their former content. Returns undefined if there is no such entry.
 */
export async function updateConditional(call: ActionContext): Promise<ActionResult | undefined> {
  const { packageId, version, dryRun, project } = call.args;
  if (packageId === undefined || dryRun) return undefined;
  const projects = projectsOf(call);
  const entries = conditionalEntries(projects, packageId);
  if (entries.length === 0) return undefined;
  if (version === undefined) throw needsVersion(call, entries);
  const files = [...new Set(entries.map(({ file }) => file))];
  const before = await Promise.all(files.map(readTextFile));
  for (const file of before)
    await writeTextFile(file, setMetadata(file.text, 'PackageVersion', packageId, { Version: version }).text);
  const restore = { label: 'Restoring with the new version', commandArgs: () => ['restore', ...positional(project)] };
  const run = await runCli(restore, call).catch(async (error: unknown) => {
    for (const { path, text } of before) await writeTextFile(await readTextFile(path), text);
    throw error;
  });
  const { projects: affectedProjects } = centralVersionOf(firstUser(projects, packageId), packageId)!;
  const changes = entries.filter((entry) => entry.version !== version);
  const isSame = changes.length === 0;
  const summary = isSame
    ? `${packageId} ${version} was referenced already`
    : `Updated ${packageId} from ${[...new Set(entries.map((entry) => entry.version))].join(', ')} to ${version}`;
  const notes = isSame ? [] : [...(await changedLines(call)), affects(call, affectedProjects)];
  return changed(
    summary,
    {
      ...(isSame && { changed: false }),
      packageId,
      version,
      ...(project !== undefined && { project }),
      ...(!isSame && { affectedProjects }),
    },
    { notes, command: run.command },
  );
}

const firstUser = (projects: readonly string[], packageId: string) =>
  projects.find((project) => centralVersionOf(project, packageId) !== undefined)!;

function needsVersion(call: ActionContext, entries: readonly VersionDeclaration[]): InvalidParameterError {
  const { packageId } = call.args;
  const message = `${packageId} has central versions under conditions (${places(entries, call)}), which have no common latest version; nothing was changed`;
  return new InvalidParameterError('version', 'required', message, {
    hint: 'Give version, which each of these entries gets, or edit the entry that you mean.',
  });
}

/**
 * Refuses to add a package that has central versions under conditions, because the CLI would add a further entry.
 * @throws InvalidParameterError unless the call has no version, or all entries already have it
 */
export function assertNoConditions(call: ActionContext, project: string | undefined): void {
  const { packageId, version } = call.args;
  const entries = project === undefined || version === undefined ? [] : conditionalEntries([project], packageId!);
  if (entries.length === 0 || entries.every((entry) => entry.version === version)) return;
  const message = `${packageId} has central versions under conditions (${places(entries, call)}); nothing was changed`;
  throw new InvalidParameterError('version', 'conflict', message, {
    providedValue: version!,
    hint: 'Add the package without version, or give each entry the version with Update.',
  });
}

const places = (entries: readonly VersionDeclaration[], call: ActionContext) =>
  entries.map((entry) => versionPlace(entry, call)).join('; ');
