import { basename, join } from 'node:path';
import { type Action, type ActionContext, changed } from '../actions/action.js';
import { change, options, positional, query } from '../actions/cli-action.js';
import type { DotnetTool } from '../actions/dotnet-tool.js';
import type { CommandRun } from '../process/command-run.js';
import { findProject } from '../project-files/find-project.js';
import { GLOBAL_LOCKS } from './global-locks.js';
import { DESTRUCTIVE } from './shared/annotations.js';
import { sourcesFailed } from './shared/sources-failed.js';
import { parseTable } from './shared/table.js';

const lock: Action['lock'] = { operation: 'workload', targets: () => [GLOBAL_LOCKS.workloads] };

/** Returns the path of the project file, because `workload restore` does not accept a folder (SDK 10). */
function projectOf({ args: { project }, resolve }: ActionContext): string | undefined {
  if (project === undefined) return undefined;
  const file = findProject(resolve(project));
  return file === undefined || file === resolve(project) ? project : join(project, basename(file));
}

/** Returns the reasons why sources did not respond. */
const sourceProblems = ({ output }: CommandRun): string[] =>
  [...output.matchAll(/^Failed to update the advertising manifest [^:\n]+: (.+?)\.*$/gm)].map(([, why]) => why!);

const actions: Record<string, Action> = {
  List: {
    isReadOnly: true,
    lists: 'workloads',
    execute: query({
      commandArgs: () => ['workload', 'list'],
      data: ({ stdout }) => ({
        workloads: parseTable(stdout).map((row) => ({
          id: row['Installed Workload Id'] ?? '',
          ...(row['Manifest Version'] && { manifestVersion: row['Manifest Version'] }),
          ...(row['Installation Source'] && { installationSource: row['Installation Source'] }),
        })),
      }),
    }),
  },
  Info: {
    isReadOnly: true,
    execute: query({
      commandArgs: () => ['workload', '--info'],
      data({ stdout }) {
        const workloadVersion = /^\s*Workload version:\s*(\S+)/m.exec(stdout)?.[1];
        const ids = [...stdout.matchAll(/^\s*\[(.+)\]\s*$/gm)].map(([, id]) => ({ id: id! }));
        return { ...(workloadVersion && { workloadVersion }), workloads: ids };
      },
    }),
  },
  Search: {
    optional: ['searchTerm'],
    isReadOnly: true,
    lists: 'workloads',
    execute: query({
      commandArgs: ({ searchTerm }) => ['workload', 'search', ...positional(searchTerm)],
      data: ({ stdout }) => ({
        workloads: parseTable(stdout).map((row) => ({
          id: row['Workload ID'] ?? '',
          ...(row.Description && { description: row.Description }),
        })),
      }),
    }),
  },
  Install: {
    required: ['workloadIds'],
    optional: ['skipManifestUpdate', 'includePreviews', 'source', 'configFile'],
    lock,
    progress: ['Installing workloads...', 'Workloads installed'],
    execute: change({
      label: 'Workload install',
      commandArgs: (args) => [
        ...['workload', 'install', ...args.workloadIds!],
        ...options(
          ['--skip-manifest-update', args.skipManifestUpdate],
          ['--include-previews', args.includePreviews],
          ['--source', args.source],
          ['--configfile', args.configFile],
        ),
      ],
      answer: (_run, { args }) =>
        changed(`Installed: ${args.workloadIds!.join(', ')}`, { workloadIds: args.workloadIds }),
    }),
  },
  Restore: {
    optional: ['project', 'skipManifestUpdate', 'includePreviews', 'source', 'configFile'],
    lock,
    progress: ['Restoring workloads...', 'Workloads restored'],
    execute: change({
      label: 'Workload restore',
      commandArgs: (args, call) => [
        ...['workload', 'restore', ...positional(projectOf(call))],
        ...options(
          ['--skip-manifest-update', args.skipManifestUpdate],
          ['--include-previews', args.includePreviews],
          ['--source', args.source],
          ['--configfile', args.configFile],
        ),
      ],
      answer({ output }) {
        const ids = /^Installing workloads:(.*)$/m.exec(output)?.[1] ?? '';
        const workloadIds = ids.split(/[\s,]+/).filter(Boolean);
        const summary = workloadIds.length > 0 ? `Restored: ${workloadIds.join(', ')}` : 'No workload is missing';
        return changed(summary, { ...(workloadIds.length === 0 && { changed: false }), workloadIds });
      },
    }),
  },
  Update: {
    optional: ['includePreviews', 'source', 'configFile'],
    lock,
    progress: ['Updating workloads...', 'Workloads updated'],
    execute: change({
      label: 'Workload update',
      commandArgs: (args) => [
        'workload',
        'update',
        ...options(
          ['--include-previews', args.includePreviews],
          ['--source', args.source],
          ['--configfile', args.configFile],
        ),
      ],
      answer(run) {
        const ids = /^Successfully updated workload\(s\): (.*)\.$/m.exec(run.output)?.[1] ?? '';
        const workloadIds = ids.split(/[\s,]+/).filter(Boolean);
        // The CLI ends with 0 even if no source responded.
        const problems = workloadIds.length === 0 ? sourceProblems(run) : [];
        if (problems.length > 0) {
          throw sourcesFailed(run, problems, { message: `No workload was updated: ${problems.join('; ')}` });
        }
        const summary = workloadIds.length > 0 ? `Updated: ${workloadIds.join(', ')}` : 'No workload needs an update';
        return changed(summary, { ...(workloadIds.length === 0 && { changed: false }), workloadIds });
      },
    }),
  },
  Uninstall: {
    required: ['workloadIds'],
    lock,
    confirm: { question: ({ workloadIds }) => `Uninstall the workloads ${workloadIds!.join(', ')}?` },
    progress: ['Uninstalling workloads...', 'Workloads uninstalled'],
    execute: change({
      label: 'Workload uninstall',
      commandArgs: ({ workloadIds }) => ['workload', 'uninstall', ...workloadIds!],
      answer: (_run, { args }) =>
        changed(`Uninstalled: ${args.workloadIds!.join(', ')}`, { workloadIds: args.workloadIds }),
    }),
  },
};

export const workloadTool: DotnetTool = {
  name: 'dotnet_workload',
  title: '.NET Workload Manager',
  description:
    'Workloads of the .NET SDK (MAUI, WebAssembly, …): list, search, install, restore those of a project, update, uninstall.',
  annotations: DESTRUCTIVE,
  actions,
  common: ['workingDirectory', 'timeoutSeconds'],
  output: {
    summary: 'string',
    workloads: 'array',
    workloadVersion: 'string',
    workloadIds: 'array',
  },
};
