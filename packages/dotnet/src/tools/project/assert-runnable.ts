import { existsSync } from 'node:fs';
import { basename, relative } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { type ActionContext, ActionError } from '../../actions/action.js';
import { errorEntry } from '../../advice/plain-error.js';
import { projectName } from '../../project-files/find-project.js';
import { readableText } from '../../project-files/readable-files.js';
import { isSolutionPath, readSolution } from '../../project-files/solution-file.js';
import { findSolution } from '../shared/projects-of.js';

/**
 * Refuses a solution for `dotnet run`, whose own error says only that it is not a project.
 * @throws ActionError that lists the programs of the solution
 */
export function assertRunnable(call: ActionContext): void {
  const { project, environment: _, ...same } = call.args;
  const solution = ambiguousSolution(call.resolve(project ?? '.'));
  if (solution === undefined) return;
  const subject = project ?? basename(solution);
  const programs = programsOf(solution).map((path) => relative(call.cwd, path).replaceAll('\\', '/'));
  const [first, ...more] = programs;
  const message = `${subject} is a solution; ${call.args.action} takes one project`;
  const hint =
    first === undefined
      ? 'None of its projects is a program: OutputType is Exe in none. Add one, or name a project outside the solution.'
      : `Name one of its programs: ${programs.join(', ')}.`;
  const action: RecommendedAction =
    first === undefined
      ? { actionKind: 'ManualStep', description: hint }
      : {
          actionKind: 'CallTool',
          description: more.length === 0 ? `Run ${first}.` : `Run ${first}, or another program of the solution.`,
          toolName: 'dotnet_project',
          arguments: { ...same, project: first },
        };
  const data = {
    exitCode: -1,
    additionalData: { parameter: 'project', reason: 'invalid value', providedValue: subject },
  };
  const entry = errorEntry('INVALID_PARAMS', message, {
    hint,
    data,
    ...(programs.length > 0 && { alternatives: programs }),
  });
  throw new ActionError(message, {
    errors: [{ ...entry, rootCauseKind: 'InvalidParameter', recommendedAction: action }],
  });
}

/** Returns the solution that a path names, or that {@link findSolution} finds in a folder. */
function ambiguousSolution(path: string): string | undefined {
  if (isSolutionPath(path)) return existsSync(path) ? path : undefined;
  return findSolution(path);
}

const PROGRAM = /<OutputType>\s*(?:Win)?Exe\s*<\/OutputType>|Microsoft\.NET\.Sdk\.(?:Web|Worker|BlazorWebAssembly)\b/i;
const TESTS = /\.Tests?$|Microsoft\.NET\.Test\.Sdk/i;

/**
 * Finds the programs by the texts of the project files. Test projects are returned only if there is no other program.
 */
function programsOf(solution: string): string[] {
  const projects = readSolution(solution).map(({ absolutePath }) => ({
    absolutePath,
    text: readableText(absolutePath),
  }));
  const programs = projects.filter(({ text }) => PROGRAM.test(text));
  const isTest = ({ absolutePath, text }: { absolutePath: string; text: string }) =>
    TESTS.test(projectName(absolutePath)) || TESTS.test(text);
  const [tests, others] = [programs.filter(isTest), programs.filter((program) => !isTest(program))];
  return (others.length > 0 ? others : tests).map(({ absolutePath }) => absolutePath);
}
