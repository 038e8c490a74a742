import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lockTargetFor } from '../locks/lock-target.js';
import type { CommandRun } from '../process/command-run.js';
import { analyzeSolution, solutionDependencies, validateSolution } from '../projects/solution-analysis.js';
import { readSolution } from '../projects/solution-file.js';
import { type Action, type ActionCall, ActionFailed, type Answer, changed } from '../tool/action.js';
import { oneOf } from '../tool/checks.js';
import { options, query, runCli } from '../tool/cli.js';
import type { DotnetTool } from '../tool/dotnet-tool.js';
import { InvalidParameter } from '../tool/invalid-parameter.js';
import { CHANGES } from './annotations.js';

const lock: Action['lock'] = {
  operation: 'solution',
  targets: ({ args, cwd }) => [lockTargetFor(args.solution, cwd)],
};

/** The projects that a solution lists now, as they are written in it. */
function projectsIn(solution: string): string[] {
  try {
    return readSolution(solution).map(({ path }) => path);
  } catch {
    return [];
  }
}

/** Add and Remove: what the CLI did, and the projects after it. */
function editing(verb: 'add' | 'remove', says: { done: string; already: RegExp; nothing: string }): Action['run'] {
  return async (call) => {
    const { solution, projects } = call.args;
    const argv = () => ['solution', solution!, verb, ...projects!];
    const run = await runCli({ verb: `Solution ${verb}`, argv }, call);
    const unchanged = run.output.split(/\r?\n/).filter((line) => says.already.test(line));
    const isChanged = unchanged.length < projects!.length;
    const summary = isChanged ? `${says.done}: ${projects!.join(', ')}` : says.nothing;
    const data = {
      ...(!isChanged && { changed: false }),
      solution: solution!,
      projects: projectsIn(call.resolve(solution!)),
    };
    return changed(summary, data, {
      text: [summary, ...unchanged].join('\n'),
      command: run.command,
    });
  };
}

/** SDKs before 9.0.200 know no `--format`; an unknown version counts as the newest (dotnet-tools.md #13). */
async function knowsFormat({ services, cwd }: ActionCall): Promise<boolean> {
  const { exitCode, stdout } = await services.sdk.version(cwd);
  const [, major, minor, patch] = (exitCode === 0 && /^(\d+)\.(\d+)\.(\d+)/.exec(stdout.trim())) || [];
  if (major === undefined) return true;
  return Number(major) * 1e6 + Number(minor) * 1e3 + Number(patch) >= 9_000_200;
}

async function create(call: ActionCall): Promise<Answer> {
  const { name, output } = call.args;
  const format = call.args.format ?? 'sln';
  const sendsFormat = await knowsFormat(call);
  if (!sendsFormat && format === 'slnx') throw slnxUnknown();
  const argv = () => ['new', 'sln', ...options(['-n', name], ['-o', output], ['--format', sendsFormat && format])];
  const run = await runCli({ verb: 'Solution create', argv }, call);
  const solution = join(call.resolve(output ?? '.'), `${name}.${format}`);
  const data = { solution, projects: projectsIn(solution) };
  return changed(`Created ${solution}`, data, { command: run.command });
}

function slnxUnknown(): ActionFailed {
  return new ActionFailed("Capability 'slnx solutions' is not available: it needs .NET SDK 9.0.200 or later", {
    code: 'CAPABILITY_NOT_AVAILABLE',
    alternatives: [
      "Use format 'sln'",
      'Install a newer .NET SDK',
      'Select a newer SDK with dotnet_sdk ConfigureGlobalJson',
    ],
    data: { exitCode: -1, additionalData: { feature: 'slnx', reason: 'The SDK in use does not know it' } },
  });
}

async function migrate(call: ActionCall): Promise<Answer> {
  const { solution, force } = call.args;
  const from = call.resolve(solution!);
  const to = from.replace(/\.sln$/i, '.slnx');
  if (existsSync(to) && !force)
    throw new InvalidParameter(
      'force',
      'required for safety',
      `Parameter 'force' must be true: ${to} would be overwritten`,
      {
        hint: 'Look at the existing .slnx first.',
      },
    );
  const run = await runCli({ verb: 'Solution migrate', argv: () => ['solution', solution!, 'migrate'] }, call);
  const note = `${from} is left over: delete it, or a bare dotnet build finds two solutions (MSB1011)`;
  const summary = `Migrated to ${to}`;
  const data = { solution: to, projects: projectsIn(to), leftOver: from };
  return changed(summary, data, { text: `${summary}\n${note}`, command: run.command });
}

const listed = ({ stdout }: CommandRun) =>
  stdout
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => /\.\w*proj$/i.test(line));

type Analysis = (
  source: Parameters<typeof analyzeSolution>[0],
  solution: string,
) => Promise<{ data: object; text: string[] }>;

function question(ask: Analysis): Action {
  return {
    requires: ['solution'],
    run: async (call) => {
      const { solution } = call.args;
      const path = call.resolve(solution!);
      if (!existsSync(path))
        throw new InvalidParameter('solution', 'not found', `Solution not found: ${solution}`, {
          providedValue: solution!,
          hint: `It was looked for as ${path}.`,
        });
      const { data, text } = await ask(call.services.solutions(call), path);
      return { data, text: text.join('\n') };
    },
  };
}

const actions: Record<string, Action> = {
  Create: { requires: ['name'], takes: ['output', 'format'], run: create },
  Add: {
    requires: ['solution', 'projects'],
    lock,
    run: editing('add', {
      done: 'Added',
      already: /already contains project/i,
      nothing: 'The solution contains them already',
    }),
  },
  List: {
    requires: ['solution'],
    run: query({
      verb: 'Solution list',
      argv: ({ solution }) => ['solution', solution!, 'list'],
      data: (run) => ({ projects: listed(run) }),
    }),
  },
  Remove: {
    requires: ['solution', 'projects'],
    lock,
    confirm: { question: ({ solution, projects }) => `Remove ${projects!.join(', ')} from ${solution}?` },
    run: editing('remove', {
      done: 'Removed',
      already: /could not be found/i,
      nothing: 'The solution does not contain them',
    }),
  },
  Analyze: question(analyzeSolution),
  Dependencies: question(solutionDependencies),
  Validate: question(validateSolution),
  Migrate: {
    requires: ['solution'],
    takes: ['force'],
    check({ solution }) {
      if (!/\.sln$/i.test(solution!))
        throw new InvalidParameter(
          'solution',
          'invalid extension',
          "Parameter 'solution' must be a .sln file to migrate",
          {
            providedValue: solution!,
          },
        );
    },
    lock,
    run: migrate,
  },
};

export const solutionTool: DotnetTool = {
  name: 'dotnet_solution',
  title: '.NET Solution Manager',
  description:
    'Solutions (.sln, .slnx): create, add, remove and list projects, analyze, validate and show dependencies of all projects, migrate to .slnx.',
  annotations: CHANGES,
  actions,
  common: ['workingDirectory', 'timeoutSeconds'],
  checks: { format: oneOf('sln', 'slnx') },
  describes: { format: 'sln (default) or slnx', name: 'Name of the solution' },
  output: {
    summary: 'string',
    changed: 'boolean',
    solution: 'string',
    projects: 'array',
    references: 'array',
    sharedPackages: 'array',
    issues: 'array',
    leftOver: 'string',
  },
};
