import { existsSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';
import { type Action, type ActionContext, type Answer, changed, withArgs } from '../actions/action.js';
import { project, projectOrFile } from '../actions/checks.js';
import { change, options, positional, query, queryResult, runCli } from '../actions/cli-action.js';
import { commandFailed } from '../actions/command-failed.js';
import type { DotnetTool } from '../actions/dotnet-tool.js';
import { InvalidParameterError } from '../actions/invalid-parameter.js';
import type { Arguments } from '../actions/parameters.js';
import { withWarnings } from '../actions/with-warnings.js';
import { parseDiagnostics } from '../diagnostics/parse/parse-diagnostics.js';
import type { LockTarget } from '../locks/lock.js';
import { lockTargetFor } from '../locks/lock-target.js';
import { centralVersionOf } from '../nuget/central-version.js';
import { centralVersionsFile, referencedPackages, referencedVersion } from '../nuget/package-versions.js';
import { parseNuGetWhy, parsePackageSearch } from '../nuget/packages.js';
import type { CommandRun } from '../process/command-run.js';
import { findProject } from '../project-files/find-project.js';
import { isSameName } from '../project-files/msbuild-syntax.js';
import { readSolution } from '../project-files/solution-file.js';
import { affects, assertNotLower, projectNames } from './central-change.js';
import { eachPackage } from './each-package.js';
import { GLOBAL_LOCKS } from './global-locks.js';
import { auditPackages, listPackages } from './package-list.js';
import { sourceActions } from './package-sources.js';
import { needsUpdateCommand, solutionAt, updatePackages } from './package-update.js';
import { DESTRUCTIVE } from './shared/annotations.js';
import { sourcesFailed } from './shared/sources-failed.js';

/**
 * The project, and the folder of the central versions that the command rewrites too
 * (docs/spec/dotnet-tools.md#central-packages).
 */
function packageTargets(call: ActionContext): LockTarget[] {
  const { args, cwd } = call;
  const central = centralVersionsFile(args.project === undefined ? cwd : dirname(call.resolve(args.project)));
  return [lockTargetFor(args.project, cwd), ...(central ? [lockTargetFor(dirname(central), cwd)] : [])];
}

const packages: Action['lock'] = {
  operation: 'package',
  targets: packageTargets,
};

const references: Action['lock'] = {
  operation: 'reference',
  targets: ({ args, cwd }) => [lockTargetFor(args.project, cwd)],
};

/** One C# file: the CLI knows it by another form of its commands (SDK 10). */
const isFile = (project: string | undefined): project is string => /\.cs$/i.test(project ?? '');

/** `add [project] package ID`, `package add ID --file app.cs`; the same with `remove`. */
function packageCommand(verb: 'add' | 'remove', { project, packageId }: Arguments): string[] {
  if (isFile(project)) return ['package', verb, packageId!, '--file', project];
  return [verb, ...positional(project), 'package', packageId!];
}

/** `add [project] package ID …`; a version wins over prerelease where neither a source nor a framework is given. */
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

/** Adds or updates a package: the same command. */
async function add(call: ActionContext): Promise<Answer> {
  const { packageId, project } = call.args;
  const file = projectFile(call);
  const before = file === undefined ? undefined : centralVersionOf(file, packageId!);
  if (call.args.action === 'Add') assertNotLower(call, before);
  const previousVersion = declaredVersion(call);
  const verb = call.args.action === 'Update' ? 'Updating the package' : 'Adding the package';
  const run = await runCli({ label: verb, commandArgs: addArguments }, call);
  const resolvedVersion = /PackageReference for package '.+?' version '([^']+)'/.exec(run.output)?.[1];
  const version = resolvedVersion ?? declaredVersion(call);
  const isSame = previousVersion !== undefined && previousVersion === version;
  const summary = added(packageId!, version, previousVersion);
  const after = file === undefined ? undefined : centralVersionOf(file, packageId!);
  const { affectedProjects, note } =
    before === undefined || before.version === after?.version ? {} : affects(call, after);
  const answer = changed(
    summary,
    {
      ...(isSame && { changed: false }),
      packageId,
      ...(version && { version }),
      ...(previousVersion && { previousVersion }),
      ...(project !== undefined && { project }),
      ...(affectedProjects && { affectedProjects }),
      ...(note && { note }),
    },
    { text: note ? `${summary}\n${note}` : summary, command: run.command },
  );
  return withWarnings(answer, parseDiagnostics(run.output));
}

function added(packageId: string, version: string | undefined, previousVersion: string | undefined): string {
  if (previousVersion === undefined) return `Added ${packageId}${version === undefined ? '' : ` ${version}`}`;
  if (version === previousVersion) return `${packageId} ${version} was referenced already`;
  return `Updated ${packageId} from ${previousVersion} to ${version}`;
}

/** The version that the project, or the central file for it, gives the package now. */
function declaredVersion(call: ActionContext): string | undefined {
  const { project, packageId } = call.args;
  if (isFile(project)) return directiveVersion(call.resolve(project), packageId!);
  const file = projectFile(call);
  if (file === undefined || !isReferenced(file, call.args.packageId!)) return undefined;
  const central = centralVersionsFile(dirname(file));
  return referencedVersion(file, call.args.packageId!) ?? (central && referencedVersion(central, call.args.packageId!));
}

/** The version of `#:package ID@version` in a C# file. */
function directiveVersion(file: string, packageId: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const directives = readRegularText(file).matchAll(/^\s*#:package\s+([^\s@]+)@(\S+)/gm);
  return [...directives].find(([, id]) => isSameName(id!, packageId))?.[2];
}

function isReferenced(file: string, packageId: string): boolean {
  return referencedPackages(file).some((id) => isSameName(id, packageId));
}

function projectFile(call: ActionContext): string | undefined {
  return findProject(call.resolve(call.args.project ?? '.'));
}

async function remove(call: ActionContext): Promise<Answer> {
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
  const leftOver = central && referencedVersion(central, packageId!) !== undefined ? central : undefined;
  const note = leftOver && `Its PackageVersion is left over in ${leftOver}`;
  const summary = `Removed ${packageId}`;
  return changed(
    summary,
    {
      packageId,
      ...(previousVersion && { previousVersion }),
      ...(project !== undefined && { project }),
      ...(note && { note }),
    },
    { text: note ? `${summary}\n${note}` : summary, command: run.command },
  );
}

const solutionOf = (call: ActionContext) => solutionAt(call.resolve(call.args.project ?? '.'));

/** `dotnet remove` takes a project: from each project of a solution that references the package. */
async function removeFromAll(call: ActionContext, solution: string): Promise<Answer> {
  const { packageId } = call.args;
  const name = relative(call.cwd, solution) || solution;
  const projects = readSolution(solution)
    .map(({ absolutePath }) => absolutePath)
    .filter((file) => existsSync(file) && isReferenced(file, packageId!));
  const data = { packageId, project: name };
  if (projects.length === 0)
    return changed(`No project of ${name} references ${packageId}`, { ...data, changed: false });
  const answers: Answer[] = [];
  for (const project of projects) answers.push(await remove(withArgs(call, { ...call.args, project })));
  const { note } = answers.at(-1)!.data as { note?: string };
  const { command } = answers.at(-1)!;
  const summary = `Removed ${packageId} from ${projectNames(projects, call)}`;
  return changed(
    summary,
    { ...data, affectedProjects: projects, ...(note && { note }) },
    { text: note ? `${summary}\n${note}` : summary, ...(command !== undefined && { command }) },
  );
}

/** `remove package` of what is not there ends with 1, `remove reference` with 0. */
const isNotReferenced = ({ output }: CommandRun) => /does not contain any PackageReference/i.test(output);
const isThere = ({ output }: CommandRun) =>
  /already has a reference/i.test(output) && !/added to the project/i.test(output);
const isAbsent = ({ output }: CommandRun) => /could not be found/i.test(output) && !/` removed/i.test(output);

/** The projects that are to be referenced, or no more. */
const referencesOf = ({ referencePath, references = [] }: Arguments) =>
  referencePath === undefined ? references : [referencePath];

const referenceFields = ({ project, referencePath, references: several }: Arguments) => ({
  project,
  ...(referencePath === undefined ? { references: several } : { referencePath }),
});

/** Actions that take one C# file instead of a project. */
const TAKE_FILES: ReadonlySet<string> = new Set(['Add', 'Remove']);

const actions: Record<string, Action> = {
  Add: {
    requiredOneOf: ['packageId', 'packageIds'],
    optional: ['project', 'version', 'prerelease', 'source', 'framework', 'force'],
    lock: packages,
    progress: ['Adding package...', 'Package added'],
    execute: eachPackage(add),
  },
  Remove: {
    requiredOneOf: ['packageId', 'packageIds'],
    optional: ['project'],
    lock: packages,
    confirm: {
      question: ({ packageId, packageIds = [], project }) =>
        `Remove the package ${packageId ?? packageIds.join(', ')}${project ? ` from ${project}` : ''}?`,
    },
    execute: eachPackage((call) =>
      solutionOf(call) === undefined ? remove(call) : removeFromAll(call, solutionOf(call)!),
    ),
  },
  Search: {
    required: ['searchTerm'],
    optional: ['source', 'take', 'skip', 'prerelease', 'exactMatch'],
    execute: async (call) => {
      const commandArgs = (args: Arguments) => [
        ...['package', 'search', args.searchTerm!],
        ...options(
          ['--source', args.source],
          ['--take', args.take],
          ['--skip', args.skip],
          ['--prerelease', args.prerelease],
          ['--exact-match', args.exactMatch],
        ),
      ];
      // It ends with 1 where it has no source at all, and tells its problems as JSON all the same.
      const isSuccess = ({ exitCode, stdout }: CommandRun) => exitCode === 0 || parsePackageSearch(stdout).isJson;
      const run = await runCli(
        { label: 'Package search', commandArgs, isSuccess, run: { ownArgs: ['--format', 'json'] } },
        call,
      );
      const { packages: found, problems, hasAnswer } = parsePackageSearch(run.stdout);
      if (!hasAnswer) {
        const message = `No source could be searched: ${problems.join('; ')}`;
        throw sourcesFailed(run, problems, { message, structured: { packages: [] } });
      }
      const lines = found.map(({ id, version, totalDownloads }) =>
        [id, version, ...(totalDownloads === undefined ? [] : [`${totalDownloads} downloads`])].join(' | '),
      );
      const notes = problems.map((problem) => `Warning: ${problem}`);
      if (found.length === 0) lines.push(`No package matches '${call.args.searchTerm}'`);
      const text = [...lines, ...notes].join('\n');
      return {
        data: { packages: found, ...(problems.length > 0 && { problems }) },
        text,
        command: run.command,
        output: text,
      };
    },
  },
  Update: {
    optional: ['packageId', 'project', 'version', 'prerelease', 'dryRun'],
    check: versionOfOne,
    lock: packages,
    progress: ['Updating packages...', 'Update complete'],
    execute: (call) => (needsUpdateCommand(call) ? updatePackages(call) : add(call)),
  },
  List: {
    optional: [
      'project',
      'outdated',
      'deprecated',
      'vulnerable',
      'includeTransitive',
      'framework',
      'filter',
      'maxResults',
    ],
    check: oneQuestion,
    execute: listPackages,
  },
  AddReference: {
    finds: 'project',
    requiredOneOf: ['referencePath', 'references'],
    lock: references,
    execute: change({
      label: 'Adding the reference',
      commandArgs: (args) => ['add', args.project!, 'reference', ...referencesOf(args)],
      answer: (run, { args }) => {
        const subject = `${args.project} references ${referencesOf(args).join(', ')}`;
        return changed(isThere(run) ? `${subject} already` : subject, {
          ...(isThere(run) && { changed: false }),
          ...referenceFields(args),
        });
      },
    }),
  },
  RemoveReference: {
    finds: 'project',
    requiredOneOf: ['referencePath', 'references'],
    lock: references,
    execute: change({
      label: 'Removing the reference',
      commandArgs: (args) => ['remove', args.project!, 'reference', ...referencesOf(args)],
      answer: (run, { args }) => {
        const subject = referencesOf(args).join(', ');
        return changed(
          isAbsent(run) ? `${args.project} does not reference ${subject}` : `Removed the reference to ${subject}`,
          { ...(isAbsent(run) && { changed: false }), ...referenceFields(args) },
        );
      },
    }),
  },
  ListReferences: {
    optional: ['project'],
    execute: query({
      label: 'Listing the references',
      commandArgs: ({ project }) => ['list', ...positional(project), 'reference'],
      data({ stdout }) {
        const lines = stdout.split(/\r?\n/);
        const from = lines.findIndex((line) => /^-{3,}$/.test(line.trim()));
        return {
          references:
            from < 0
              ? []
              : lines
                  .slice(from + 1)
                  .map((line) => line.trim())
                  .filter(Boolean),
        };
      },
    }),
  },
  ClearCache: {
    required: ['cacheType'],
    lock: { operation: 'nuget locals', targets: () => [GLOBAL_LOCKS.packageCaches] },
    confirm: { question: ({ cacheType }) => `Clear the NuGet cache '${cacheType}' of this machine?` },
    execute: change({
      label: 'Clearing the cache',
      commandArgs: ({ cacheType }) => ['nuget', 'locals', cacheType!, '--clear'],
      answer(run, { args: { cacheType } }) {
        const cleared = [...run.output.matchAll(/^Clearing NuGet (.+?): (.+)$/gm)].map(([, cache, path]) => ({
          cache,
          path,
        }));
        return changed(`NuGet cache cleared: ${cacheType}`, { cacheType, cleared });
      },
    }),
  },
  Why: {
    required: ['packageId'],
    optional: ['project', 'framework'],
    execute: async (call) => {
      const { project, packageId, framework } = call.args;
      const commandArgs = () => [
        'nuget',
        'why',
        ...positional(project ?? '.'),
        packageId!,
        ...options(['--framework', framework]),
      ];
      const run = await runCli({ label: 'Why', commandArgs }, call);
      const why = parseNuGetWhy(run.output);
      if ('problem' in why) throw commandFailed(run, { label: 'Why' });
      return queryResult(run, { packageId, ...why });
    },
  },
  Audit: {
    optional: ['project', 'framework'],
    execute: auditPackages,
  },
  ...sourceActions,
};

function versionOfOne({ packageId, version }: Arguments): void {
  if (version === undefined || packageId !== undefined) return;
  throw new InvalidParameterError('version', 'conflict', "Parameter 'version' needs 'packageId'", {
    hint: 'Name the package, or leave version out to update all packages to their latest versions.',
  });
}

function oneQuestion({ outdated, deprecated, vulnerable }: Arguments): void {
  const filters = Object.entries({ outdated, deprecated, vulnerable }).filter(([, isRequested]) => isRequested);
  if (filters.length < 2) return;
  const [first, second] = filters.map(([name]) => name);
  throw new InvalidParameterError(second!, 'conflict', `Parameters '${first}' and '${second}' cannot be combined`, {
    hint: 'Ask for one of them at a time.',
  });
}

export const packageTool: DotnetTool = {
  name: 'dotnet_package',
  title: 'NuGet Package Manager',
  description:
    'NuGet packages and project references: add, update, remove, list (outdated, deprecated, vulnerable), search, audit, why a package is there, clear caches; package sources, push.',
  annotations: DESTRUCTIVE,
  actions,
  common: ['workingDirectory', 'timeoutSeconds'],
  output: {
    summary: 'string',
    changed: 'boolean',
    packages: 'array',
    projects: 'array',
    packageId: 'string',
    version: 'string',
    previousVersion: 'string',
    project: 'string',
    note: 'string',
    updates: 'array',
    affectedProjects: 'array',
    problems: 'array',
    restored: 'boolean',
    recommendedAction: 'object',
    sources: 'array',
    references: 'array',
    referencePath: 'string',
    cacheType: 'string',
    cleared: 'array',
    paths: 'array',
    vulnerabilities: 'array',
    name: 'string',
    source: 'string',
    path: 'string',
    pushed: 'array',
  },
  checks: { project: (path: string, name, action) => (TAKE_FILES.has(action!) ? projectOrFile : project)(path, name) },
  describes: { filter: 'Part of a package name', name: 'Name of the source', path: 'Package to push' },
};
