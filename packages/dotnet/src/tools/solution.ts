import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Action, type ActionContext, ActionError, type ActionResult, changed } from '../actions/action.js';
import { oneOf } from '../actions/checks.js';
import { options, query, runCli } from '../actions/cli-action.js';
import type { DotnetTool } from '../actions/dotnet-tool.js';
import { InvalidParameterError } from '../actions/invalid-parameter.js';
import { errorEntry } from '../advice/plain-error.js';
import {
  analyzeSolution,
  type SolutionAnswer,
  solutionDependencies,
  validateSolution,
} from '../analysis/solution-analysis.js';
import type { SolutionReport } from '../analysis/solution-report.js';
import { lockTargetFor } from '../locks/lock-target.js';
import type { CommandRun } from '../process/command-run.js';
import { addProjects, projectsIn, removeProjects } from './edit-solution.js';
import { DESTRUCTIVE } from './shared/annotations.js';
import { nextLine, suggestRestore } from './shared/suggest-restore.js';

const lock: Action['lock'] = {
  operation: 'solution',
  targets: ({ args, cwd }) => [lockTargetFor(args.solution, cwd)],
};

const editedSolution: Action['edits'] = ({ args, resolve }) => [resolve(args.solution!)];

/**
 * Returns the solution formats of the SDK. SDKs before 9.0.200 do not know `--format`, and SDK 10 and later create
 * .slnx by default. An unknown version counts as the newest (docs/spec/dotnet-tools.md#solution-format).
 */
async function formatsOf({
  services,
  cwd,
  isReadOnly,
}: ActionContext): Promise<{ sendsFormat: boolean; usual: 'sln' | 'slnx' }> {
  const { exitCode, stdout } = await services.sdk.version(cwd, !isReadOnly);
  const [, major, minor, patch] = (exitCode === 0 && /^(\d+)\.(\d+)\.(\d+)/.exec(stdout.trim())) || [];
  if (major === undefined) return { sendsFormat: true, usual: 'slnx' };
  const sendsFormat = Number(major) * 1e6 + Number(minor) * 1e3 + Number(patch) >= 9_000_200;
  return { sendsFormat, usual: Number(major) >= 10 ? 'slnx' : 'sln' };
}

/** Returns the path of the solution that the call creates. @param usual the format if the call names none */
function createdSolution(call: ActionContext, usual: string): string {
  const { name, output, format = usual } = call.args;
  return join(call.resolve(output ?? '.'), `${name}.${format.toLowerCase()}`);
}

function solutionExists(name: string, solution: string): InvalidParameterError {
  return new InvalidParameterError('name', 'conflict', `The solution ${solution} exists already`, {
    providedValue: name,
    hint: 'Choose another name or output folder, or add projects to the solution that is there.',
  });
}

async function create(call: ActionContext): Promise<ActionResult> {
  const { name, output } = call.args;
  const { sendsFormat, usual } = await formatsOf(call);
  const format = call.args.format?.toLowerCase() ?? usual;
  if (!sendsFormat && format === 'slnx') throw slnxUnknown();
  const commandArgs = () => [
    'new',
    'sln',
    ...options(['-n', name], ['-o', output], ['--format', sendsFormat && format]),
  ];
  const solution = createdSolution(call, format);
  if (existsSync(solution)) throw solutionExists(name!, solution);
  const run = await runCli({ label: 'Solution create', commandArgs }, call);
  const data = { solution, projects: projectsIn(solution) };
  return changed(`Created ${solution}`, data, { command: run.command });
}

function slnxUnknown(): ActionError {
  const reason = 'It needs .NET SDK 9.0.200 or later';
  const message = `The 'slnx solutions' capability is not available: ${reason}`;
  const alternatives = [
    "Use format 'sln'",
    'Install a newer .NET SDK',
    'Select a newer SDK with dotnet_sdk ConfigureGlobalJson',
  ];
  const explanation = 'The SDK that global.json selects, or the only one, is older than the format.';
  const data = { exitCode: -1, additionalData: { feature: 'slnx solutions', reason } };
  return new ActionError(message, {
    errors: [errorEntry('CAPABILITY_NOT_AVAILABLE', message, { explanation, alternatives, data })],
  });
}

async function migrate(call: ActionContext): Promise<ActionResult> {
  const { solution, force } = call.args;
  const from = call.resolve(solution!);
  const to = from.replace(/\.sln$/i, '.slnx');
  if (existsSync(to) && !force)
    throw new InvalidParameterError(
      'force',
      'required for safety',
      `Parameter 'force' must be true: ${to} would be overwritten`,
      {
        hint: 'Look at the existing .slnx first.',
      },
    );
  const run = await runCli({ label: 'Solution migrate', commandArgs: () => ['solution', solution!, 'migrate'] }, call);
  const note = `${from} remains: delete it, or dotnet build without a solution finds two of them (MSB1011)`;
  const data = { solution: to, projects: projectsIn(to), leftOver: from };
  return changed(`Migrated to ${to}`, data, { notes: [note], command: run.command });
}

const listed = ({ stdout }: CommandRun) =>
  stdout
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => /\.\w*proj$/i.test(line));

type Analysis = (source: Parameters<typeof analyzeSolution>[0], solution: string) => Promise<SolutionAnswer>;

/**
 * True if a restore would help. A project does not count if another project in its folder is restored: both restores
 * write to the same obj folder, so only one of the projects can be restored.
 */
function needsRestore({ projects }: Pick<SolutionReport, 'projects'>): boolean {
  const restoredFolders = projects.filter(({ restored }) => restored).map(({ path }) => dirname(path));
  return projects.some(({ path, restored }) => !restored && !restoredFolders.includes(dirname(path)));
}

/** Creates an action that analyses a solution and recommends a restore if projects are not restored. */
function question(analyze: Analysis, lists: string): Action {
  return {
    finds: 'solution',
    isReadOnly: true,
    lists,
    execute: async (call) => {
      const { solution } = call.args;
      const path = call.resolve(solution!);
      if (!existsSync(path))
        throw new InvalidParameterError('solution', 'not found', `Solution not found: ${solution}`, {
          providedValue: solution!,
          hint: `Give the path of an existing solution. Resolved path: ${path}.`,
        });
      const { data, text } = await analyze(call.services.solutions(call), path);
      const restore = data.issues && needsRestore(data) ? suggestRestore(call.args, solution).action : undefined;
      const { recommendedAction = restore } = data;
      if (recommendedAction === undefined) return { data, text: text.join('\n') };
      return { data: { ...data, recommendedAction }, text: [...text, '', nextLine(recommendedAction)].join('\n') };
    },
  };
}

const actions: Record<string, Action> = {
  Create: {
    required: ['name'],
    optional: ['output', 'format'],
    checks: { format: oneOf('sln', 'slnx') },
    lock: {
      operation: 'solution',
      targets: async (call) => [lockTargetFor(createdSolution(call, (await formatsOf(call)).usual), call.cwd)],
    },
    execute: create,
  },
  Add: {
    finds: 'solution',
    required: ['projects'],
    lock,
    edits: editedSolution,
    execute: addProjects,
  },
  List: {
    finds: 'solution',
    isReadOnly: true,
    lists: 'projects',
    execute: query({
      label: 'Solution list',
      commandArgs: ({ solution }) => ['solution', solution!, 'list'],
      data: (run) => ({ projects: listed(run) }),
    }),
  },
  Remove: {
    finds: 'solution',
    required: ['projects'],
    lock,
    confirm: { question: ({ solution, projects }) => `Remove ${projects!.join(', ')} from ${solution}?` },
    edits: editedSolution,
    execute: removeProjects,
  },
  Analyze: question(analyzeSolution, 'projects'),
  Dependencies: question(solutionDependencies, 'references'),
  Validate: question(validateSolution, 'issues'),
  Migrate: {
    finds: 'solution',
    optional: ['force'],
    check({ solution }) {
      if (!/\.sln$/i.test(solution!))
        throw new InvalidParameterError(
          'solution',
          'invalid extension',
          "Parameter 'solution' must be a .sln file to migrate",
          {
            providedValue: solution!,
          },
        );
    },
    lock,
    execute: migrate,
  },
};

export const solutionTool: DotnetTool = {
  name: 'dotnet_solution',
  title: '.NET Solution Manager',
  description:
    'Solutions (.sln, .slnx): create, add, remove and list projects, analyze, validate and show dependencies of all projects, migrate to .slnx.',
  annotations: DESTRUCTIVE,
  actions,
  common: ['workingDirectory', 'timeoutSeconds'],
  describes: { format: "sln or slnx (default: the SDK's, slnx from .NET 10)", name: 'Name of the solution' },
  output: {
    summary: 'string',
    changed: 'boolean',
    solution: 'string',
    projects: 'array',
    references: 'array',
    sharedPackages: 'array',
    issues: 'array',
    leftOver: 'string',
    note: 'string',
    recommendedAction: 'object',
  },
};
