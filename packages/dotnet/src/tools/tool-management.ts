import { join } from 'node:path';
import { type Action, type ActionContext, changed } from '../actions/action.js';
import { changedPlaces } from '../actions/changed-lines.js';
import { toArguments } from '../actions/checks.js';
import { change, options, query, queryResult, runCli } from '../actions/cli-action.js';
import type { DotnetTool } from '../actions/dotnet-tool.js';
import { InvalidParameterError } from '../actions/invalid-parameter.js';
import type { Arguments } from '../actions/parameters.js';
import { isTruncated, streamEnd } from '../diagnostics/parse/truncate.js';
import { lockTargetFor } from '../locks/lock-target.js';
import type { CommandRun } from '../process/command-run.js';
import { foldersUpward } from '../project-files/find-project.js';
import { GLOBAL_LOCKS } from './global-locks.js';
import { DESTRUCTIVE } from './shared/annotations.js';
import { parseTable } from './shared/table.js';

const lock: Action['lock'] = {
  operation: 'tool',
  targets: ({ args, cwd }) => [args.global ? GLOBAL_LOCKS.tools : lockTargetFor(args.toolPath, cwd)],
};

/** Returns the paths of the manifests that can contain a local tool. */
const manifests: Action['edits'] = ({ args, cwd }) =>
  args.global || args.toolPath !== undefined
    ? []
    : foldersUpward(cwd).flatMap((folder) => [
        join(folder, '.config', 'dotnet-tools.json'),
        join(folder, 'dotnet-tools.json'),
      ]);

/** Returns for example ` in .config/dotnet-tools.json, line 5`; empty if no manifest was changed. */
async function changedManifest(call: ActionContext): Promise<string> {
  const [place] = await changedPlaces(call);
  return place === undefined ? '' : ` in ${place}`;
}

/** Parses the output of `tool list --format json`. SDK 8 and older do not know the option and print a table. */
function installed({ stdout }: CommandRun): object[] {
  try {
    const { data } = JSON.parse(stdout) as {
      data: { packageId: string; version: string; commands: string[]; manifest?: string }[];
    };
    return data.map(({ packageId, version, commands, manifest }) => ({
      packageId,
      version,
      commands,
      ...(manifest && { manifest }),
    }));
  } catch {
    return parseTable(stdout).map((row) => ({
      packageId: row['Package Id'] ?? '',
      version: row.Version ?? '',
      commands: (row.Commands ?? '').split(',').map((command) => command.trim()),
      ...(row.Manifest && { manifest: row.Manifest }),
    }));
  }
}

/** Reads the version in `Tool 'dotnet-ef' (version '10.0.11') was successfully installed.` */
const versionIn = ({ output }: CommandRun) => /\(version '([^']+)'/.exec(output)?.[1];
const previousIn = ({ output }: CommandRun) => /from version '([^']+)' to version '([^']+)'/.exec(output);

/** True if `tool uninstall` reports that the tool is not installed, locally or for the user. */
const isAbsent = ({ output }: CommandRun) =>
  /Cannot find a manifest file(?: that contains|\.)|A tool with the package Id '.+' could not be found/i.test(output);

/**
 * False if `tool search` could not search. It only asks nuget.org, and ends with 0 even if nuget.org is not configured.
 */
const isSearched = ({ output, exitCode }: CommandRun) =>
  exitCode === 0 && !/not present in your nuget\.config/i.test(output);

function notBoth({ global, toolPath }: Arguments): void {
  if (!global || toolPath === undefined) return;
  throw new InvalidParameterError('toolPath', 'conflict', "Parameters 'global' and 'toolPath' cannot be combined", {
    hint: 'Install for the user (global) or into a folder (toolPath).',
  });
}

const actions: Record<string, Action> = {
  Install: {
    required: ['packageId'],
    optional: ['global', 'version', 'framework', 'toolPath'],
    check: notBoth,
    lock,
    edits: manifests,
    progress: ['Installing tool...', 'Tool installed'],
    execute: change({
      label: 'Tool install',
      commandArgs: (args) => [
        ...['tool', 'install', args.packageId!],
        ...options(
          ['--global', args.global],
          ['--version', args.version],
          ['--framework', args.framework],
          ['--tool-path', args.toolPath],
        ),
      ],
      async answer(run, call) {
        const { packageId, version: named } = call.args;
        const version = versionIn(run);
        const isThere = /already installed|already available|is up to date/i.test(run.output);
        const chosen = version && `${version}${named || isThere ? '' : ' (newest stable)'}`;
        const manifest = /manifest file (.+?\.json)/.exec(run.output)?.[1];
        return changed(
          `${packageId}${chosen ? ` ${chosen}` : ''} ${isThere ? 'is installed already' : 'installed'}${await changedManifest(call)}`,
          { ...(isThere && { changed: false }), packageId, ...(version && { version }), ...(manifest && { manifest }) },
        );
      },
    }),
  },
  List: {
    optional: ['global'],
    isReadOnly: true,
    lists: 'tools',
    execute: async (call) => {
      const run = await runCli(
        {
          label: 'Tool list',
          commandArgs: ({ global }) => ['tool', 'list', ...options(['--global', global])],
          run: { ownArgs: ['--format', 'json'] },
        },
        call,
      );
      const tools = installed(run) as { packageId: string; version: string; commands: string[] }[];
      const lines = tools.map(({ packageId, version, commands }) => `${packageId} ${version} (${commands.join(', ')})`);
      const text = lines.join('\n') || 'No tools are installed';
      return { data: { tools }, text, command: run.command, output: text };
    },
  },
  Update: {
    required: ['packageId'],
    optional: ['global', 'version'],
    lock,
    edits: manifests,
    progress: ['Updating tool...', 'Tool updated'],
    execute: change({
      label: 'Tool update',
      commandArgs: (args) => [
        ...['tool', 'update', args.packageId!],
        ...options(['--global', args.global], ['--version', args.version]),
      ],
      async answer(run, call) {
        const { packageId, version: named } = call.args;
        const [, previousVersion, updated] = previousIn(run) ?? [];
        const version = updated ?? versionIn(run);
        const isCurrent = /is up to date|reinstalled/i.test(run.output);
        return changed(
          isCurrent
            ? `${packageId} is up to date`
            : `${packageId} updated${version ? ` to ${version}` : ''}${named ? '' : ' (newest stable)'}${await changedManifest(call)}`,
          {
            ...(isCurrent && { changed: false }),
            packageId,
            ...(version && { version }),
            ...(previousVersion && { previousVersion }),
          },
        );
      },
    }),
  },
  Uninstall: {
    required: ['packageId'],
    optional: ['global'],
    lock,
    edits: manifests,
    confirm: { question: ({ packageId }) => `Uninstall the tool ${packageId}?` },
    execute: change({
      label: 'Tool uninstall',
      commandArgs: (args) => ['tool', 'uninstall', args.packageId!, ...options(['--global', args.global])],
      isSuccess: (run) => run.exitCode === 0 || isAbsent(run),
      answer: async (run, call) => {
        const { packageId } = call.args;
        return isAbsent(run)
          ? changed(`${packageId} is not installed`, { changed: false, packageId }, { exitCode: 0 })
          : changed(`${packageId} uninstalled${await changedManifest(call)}`, { packageId });
      },
    }),
  },
  Restore: {
    lock,
    progress: ['Restoring tools...', 'Tools restored'],
    execute: change({
      label: 'Tool restore',
      commandArgs: () => ['tool', 'restore'],
      answer(run) {
        const tools = [...run.output.matchAll(/^Tool '([^']+)' \(version '([^']+)'\) was restored\./gm)].map(
          ([, packageId, version]) => ({ packageId, version }),
        );
        const isEmpty = tools.length === 0;
        const summary = isEmpty
          ? 'There was no tool to restore'
          : `Restored: ${tools.map((tool) => tool.packageId).join(', ')}`;
        return changed(summary, { ...(isEmpty && { changed: false }), tools });
      },
    }),
  },
  CreateManifest: {
    optional: ['output', 'force'],
    lock,
    execute: change({
      label: 'Tool manifest',
      commandArgs: ({ output, force }) => [
        ...['new', 'tool-manifest', '-o', output === undefined ? '.config' : `${output.replace(/[/\\]$/, '')}/.config`],
        ...options(['--force', force]),
      ],
      answer: (_run, { args, resolve }) =>
        changed('Tool manifest created', { path: join(resolve(args.output ?? '.'), '.config', 'dotnet-tools.json') }),
    }),
  },
  Search: {
    required: ['searchTerm'],
    optional: ['detail', 'take', 'skip', 'prerelease'],
    isReadOnly: true,
    lists: 'tools',
    execute: query({
      label: 'Tool search',
      isSuccess: isSearched,
      commandArgs: (args) => [
        ...['tool', 'search', args.searchTerm!],
        ...options(
          ['--detail', args.detail],
          ['--take', args.take],
          ['--skip', args.skip],
          ['--prerelease', args.prerelease],
        ),
      ],
      data: ({ stdout }) => ({
        tools: parseTable(stdout).map((row) => ({
          packageId: row['Package ID'] ?? '',
          version: row['Latest Version'] ?? '',
          ...(row.Authors && { authors: row.Authors }),
          ...(row.Downloads && { totalDownloads: Number(row.Downloads) }),
        })),
      }),
    }),
  },
  Run: {
    required: ['toolName'],
    optional: ['args'],
    isReadOnly: false,
    execute: async (call) => {
      const { args } = call;
      const passed = args.args === undefined ? [] : ['--', ...toArguments(args.args, 'args')];
      const run = await runCli(
        {
          label: `Tool ${args.toolName}`,
          commandArgs: () => ['tool', 'run', args.toolName!, ...passed],
          partialResult: ({ exitCode, stdout, stderr }) => ({
            toolName: args.toolName,
            exitCode,
            stdout: streamEnd(stdout),
            stderr: streamEnd(stderr),
          }),
        },
        call,
      );
      const { exitCode, stdout, stderr } = run;
      return {
        ...queryResult(run, {
          toolName: args.toolName,
          exitCode,
          stdout: streamEnd(stdout),
          stderr: streamEnd(stderr),
        }),
        isPartial: isTruncated(run),
      };
    },
  },
};

export const toolTool: DotnetTool = {
  name: 'dotnet_tool',
  title: '.NET Tool Manager',
  description: '.NET tools, global or of a folder: install, update, uninstall, restore, list, search, run.',
  annotations: DESTRUCTIVE,
  actions,
  common: ['workingDirectory', 'timeoutSeconds'],
  output: {
    summary: 'string',
    changed: 'boolean',
    packageId: 'string',
    version: 'string',
    previousVersion: 'string',
    manifest: 'string',
    path: 'string',
    tools: 'array',
    toolName: 'string',
    stdout: 'string',
    stderr: 'string',
  },
};
