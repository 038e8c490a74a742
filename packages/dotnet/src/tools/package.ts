import { dirname } from 'node:path';
import { type Action, type ActionContext, changed } from '../actions/action.js';
import { projectOrFile } from '../actions/checks.js';
import { change, options, runCli } from '../actions/cli-action.js';
import type { DotnetTool } from '../actions/dotnet-tool.js';
import { InvalidParameterError } from '../actions/invalid-parameter.js';
import type { Arguments } from '../actions/parameters.js';
import type { LockTarget } from '../locks/lock.js';
import { lockTargetFor } from '../locks/lock-target.js';
import { centralVersionsFile } from '../nuget/package-versions.js';
import { parsePackageSearch } from '../nuget/packages.js';
import type { CommandRun } from '../process/command-run.js';
import { updateConditional } from './conditional-versions.js';
import { eachPackage } from './each-package.js';
import { GLOBAL_LOCKS } from './global-locks.js';
import { addPackage, removePackage } from './package-changes.js';
import { auditPackages, listPackages } from './package-list.js';
import { sourceActions } from './package-sources.js';
import { needsUpdateCommand, updatePackages } from './package-update.js';
import { whyPackage } from './package-why.js';
import { referenceActions } from './project-references.js';
import { DESTRUCTIVE } from './shared/annotations.js';
import { editedProjects } from './shared/projects-of.js';
import { sourcesFailed } from './shared/sources-failed.js';

/**
 * Returns the lock targets: the project, and the folder of the central versions, which the command rewrites too
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

/** Returns the files with versions of packages: the projects and their central files. */
function versionFiles(call: ActionContext): string[] {
  const projects = editedProjects(call);
  return [...projects, ...projects.flatMap((file) => centralVersionsFile(dirname(file)) ?? [])];
}

const actions: Record<string, Action> = {
  Add: {
    requiredOneOf: ['packageId', 'packageIds'],
    optional: ['project', 'version', 'prerelease', 'source', 'framework', 'force'],
    checks: { project: projectOrFile },
    lock: packages,
    edits: versionFiles,
    progress: ['Adding package...', 'Package added'],
    execute: eachPackage(addPackage),
  },
  Remove: {
    requiredOneOf: ['packageId', 'packageIds'],
    optional: ['project'],
    checks: { project: projectOrFile },
    lock: packages,
    edits: versionFiles,
    confirm: {
      question: ({ packageId, packageIds = [], project }) =>
        `Remove the package ${packageId ?? packageIds.join(', ')}${project ? ` from ${project}` : ''}?`,
    },
    execute: eachPackage(removePackage),
  },
  Search: {
    required: ['searchTerm'],
    optional: ['source', 'take', 'skip', 'prerelease', 'exactMatch'],
    isReadOnly: true,
    lists: 'packages',
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
      // The CLI exits with 1 if there is no source, but still prints its problems as JSON.
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
    optional: ['packageId', 'packageIds', 'project', 'version', 'prerelease', 'dryRun'],
    check: versionOfOne,
    lock: packages,
    edits: versionFiles,
    progress: ['Updating packages...', 'Update complete'],
    execute: async (call) =>
      (await updateConditional(call)) ?? (needsUpdateCommand(call) ? updatePackages(call) : addPackage(call)),
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
    isReadOnly: true,
    lists: 'packages',
    writesWith: ['outdated', 'deprecated', 'vulnerable'],
    execute: listPackages,
  },
  ...referenceActions,
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
    isReadOnly: true,
    execute: whyPackage,
  },
  Audit: {
    optional: ['project', 'framework'],
    // `dotnet list package` runs a target of the project, after a restore.
    isReadOnly: false,
    lists: 'packages',
    execute: auditPackages,
  },
  ...sourceActions,
};

function versionOfOne({ packageId, packageIds, version }: Arguments): void {
  if (packageId !== undefined && packageIds !== undefined)
    throw new InvalidParameterError('packageIds', 'conflict', "Give 'packageId' or 'packageIds', not both");
  if (version === undefined || packageId !== undefined) return;
  throw new InvalidParameterError('version', 'conflict', "Parameter 'version' needs 'packageId'", {
    hint: 'Name the package, write Id@version in packageIds, or leave version out to update to the latest versions.',
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
    'NuGet packages and project references: add, update, remove, list (outdated, deprecated, vulnerable: these and audit restore), search, audit, why a package is there, clear caches; package sources, push.',
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
  describes: { filter: 'Part of a package name', name: 'Name of the source', path: 'Package to push' },
};
