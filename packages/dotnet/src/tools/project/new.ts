import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { type Action, type ActionContext, type ActionResult, changed } from '../../actions/action.js';
import { isWithinRoots } from '../../actions/call-paths.js';
import { toArguments } from '../../actions/checks.js';
import { options, runCli } from '../../actions/cli-action.js';
import type { FailedCommand } from '../../actions/command-failed.js';
import { safePath } from '../../actions/value-kind.js';
import { counted } from '../../advice/diagnostic-fields.js';
import { again, call as nextCall } from '../../advice/next-call.js';
import type { CommandRun } from '../../process/command-run.js';
import { FileError } from '../../project-files/file-error.js';
import { foldersUpward, isProjectPath } from '../../project-files/find-project.js';
import { namesIn } from '../../project-files/readable-files.js';
import { relativePath } from '../../project-files/relative-path.js';
import { readSolution } from '../../project-files/solution-file.js';
import { nextLine } from '../shared/suggest-restore.js';
import { parseTemplateOptions, templateOptionLines } from '../shared/template-options.js';
import { assertTemplate, isTemplateHelp, templateNotFound } from '../shared/templates.js';
import { adaptTemplate } from './adapt-template.js';

const IGNORED = new Set(['bin', 'obj', '.git', 'node_modules']);
const MAX_FILES = 5000;
/** The maximum number of files in the text. The data has all of them. */
const MAX_LISTED_FILES = 20;

/** Returns the modification times of the files below a folder, except files of builds, Git and package managers. */
function filesUnder(folder: string, into = new Map<string, number>()): Map<string, number> {
  for (const name of namesIn(folder)) {
    if (into.size >= MAX_FILES) break;
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) {
      if (!IGNORED.has(name)) filesUnder(path, into);
    } else if (stat) into.set(path, stat.mtimeMs);
  }
  return into;
}

/**
 * Returns the folder to which the template engine has written: `output`, or a folder with the name if the template has
 * created one, or the folder of the call.
 */
function outputFolder(call: ActionContext): string {
  const { output, name } = call.args;
  if (output !== undefined) return call.resolve(output);
  const named = name === undefined ? undefined : call.resolve(name);
  return named !== undefined && statSync(named, { throwIfNoEntry: false })?.isDirectory() ? named : call.cwd;
}

/** The exit code if this machine does not meet a constraint of the template (SDK 10). */
const CONSTRAINT_NOT_MET = 100;

/** The exit code if files of the template already exist (SDK 10). */
const WOULD_OVERWRITE = 73;

function advice({ exitCode }: CommandRun, { args }: ActionContext): FailedCommand['advice'] {
  if (args.force) return undefined;
  if (exitCode === WOULD_OVERWRITE) {
    return {
      rootCauseKind: 'InvalidParameter',
      recommendedAction: again('Overwrite these files, if they may be lost; else choose another name or output.', {
        force: true,
      }),
    };
  }
  if (exitCode !== CONSTRAINT_NOT_MET) return undefined;
  return {
    hint: 'The template does not support this machine; the message names the constraint. Set force to create the project anyway.',
    rootCauseKind: 'InvalidParameter',
    recommendedAction: again('Create the project anyway; it may not build on this machine.', { force: true }),
  };
}

async function createProject(call: ActionContext): Promise<ActionResult> {
  const { args } = call;
  const { template } = args;
  await assertTemplate(call, template!);
  const watchedFolder = args.output === undefined ? call.cwd : call.resolve(args.output);
  const before = filesUnder(watchedFolder);
  const commandArgs = () => [
    ...['new', template!],
    ...options(
      ['-n', args.name],
      ['-o', args.output],
      ['--framework', args.framework],
      ['--language', args.language],
      ['--force', args.force],
    ),
    ...(args.additionalOptions === undefined ? [] : toArguments(args.additionalOptions, 'additionalOptions')),
  ];
  const run = await runCli({ label: 'New', commandArgs, partialResult: () => ({ template }), advice }, call);
  const outputPath = outputFolder(call);
  const after = [...filesUnder(watchedFolder)];
  const created = after.filter(([path, time]) => before.get(path) !== time).map(([path]) => path);
  const { inherited, removed } = await adaptTemplate(created, args);
  const createdFiles = created
    .filter((path) => !removed.includes(path))
    .map((path) => relative(outputPath, path).split(sep).join('/'))
    .sort();
  const unlistedCount = createdFiles.length - MAX_LISTED_FILES;
  const notes = [
    ...(inherited.length > 0 ? [`Set by Directory.Build.props, so not in the project: ${inherited.join(', ')}.`] : []),
    ...(removed.length > 0 ? [`The empty ${basename(removed[0]!)} of the template was deleted.`] : []),
  ];
  const summary = `Created ${template} in ${outputPath}`;
  const recommendedAction = nextForNew(call, created);
  return changed(
    summary,
    {
      ...{ template, outputPath, createdFiles, ...(notes.length > 0 && { notes }) },
      ...(recommendedAction && { recommendedAction }),
    },
    {
      text: [
        summary,
        ...createdFiles.slice(0, MAX_LISTED_FILES),
        ...(unlistedCount > 0 ? [`… and ${counted(unlistedCount, 'more file')}`] : []),
        ...notes,
        ...(recommendedAction ? [nextLine(recommendedAction)] : []),
      ].join('\n'),
      command: run.command,
    },
  );
}

export const newAction: Action = {
  required: ['template'],
  optional: ['additionalOptions', 'framework', 'name', 'output', 'language', 'force'],
  isReadOnly: false,
  execute: createProject,
};

/** The maximum size of the options in the text. The help page of a template can have 8,000 characters. */
const MAX_OPTION_CHARS = 1800;

export const listTemplateOptionsAction: Action = {
  required: ['template'],
  isReadOnly: true,
  execute: async (call) => {
    const template = call.args.template!;
    await assertTemplate(call, template);
    const run = await runCli({ label: 'Template options', commandArgs: () => ['new', template, '--help'] }, call);
    if (!isTemplateHelp(run)) throw templateNotFound(template, []);
    const ownOptions = parseTemplateOptions(run.stdout);
    const [name = template] = run.stdout.trimStart().split(/\r?\n/, 1);
    const lines = templateOptionLines(ownOptions, MAX_OPTION_CHARS);
    return {
      data: { template, name, options: ownOptions },
      text: [name, ...(ownOptions.length > 0 ? lines : ['It has no options of its own'])].join('\n'),
      command: run.command,
    };
  },
};

/**
 * Recommends to add new projects to the solution above them or, if there is none, to build the first project.
 * @param created the absolute paths of all created files
 * @returns undefined if no project was created
 */
export function nextForNew(call: ActionContext, created: readonly string[]): RecommendedAction | undefined {
  const projects = created.filter(isProjectPath);
  const [first] = projects;
  if (first === undefined) return undefined;
  const path = (file: string) => safePath(relativePath(call.cwd, file));
  const { workingDirectory } = call.args;
  const same = workingDirectory === undefined ? {} : { workingDirectory };
  const solution = solutionAbove(first, call);
  const missing = solution === undefined ? [] : missingIn(solution, projects);
  if (solution === undefined || missing.length === 0)
    return nextCall('Build the project.', 'dotnet_project', { action: 'Build', project: path(first), ...same });
  const args = { action: 'Add', solution: path(solution), projects: missing.map(path), ...same };
  return nextCall(`Add the project to ${path(solution)}.`, 'dotnet_solution', args);
}

/**
 * Finds the solution in the nearest folder at or above the project that has one. The search ends at the folder of the
 * repository or, without a repository, of the call. Returns undefined if that folder has several solutions.
 */
function solutionAbove(project: string, { cwd, services: { settings } }: ActionContext): string | undefined {
  const folders = foldersUpward(dirname(project));
  const top = folders.findIndex((folder) => existsSync(join(folder, '.git')));
  const last = top === -1 ? folders.indexOf(cwd) : top;
  const nearest = folders
    .slice(0, last + 1)
    .filter((folder) => isWithinRoots(settings.roots, folder))
    .map(solutionsIn)
    .find((solutions) => solutions.length > 0);
  return nearest?.length === 1 ? nearest[0] : undefined;
}

function solutionsIn(folder: string): string[] {
  const names = namesIn(folder).filter((name) => /\.slnx?$/i.test(name));
  return names.map((name) => join(folder, name));
}

function missingIn(solution: string, projects: readonly string[]): readonly string[] {
  try {
    const listed = new Set(readSolution(solution).map(({ absolutePath }) => absolutePath));
    return projects.filter((project) => !listed.has(project));
  } catch (error) {
    // The recommended call reports the problem of the solution.
    if (error instanceof FileError) return projects;
    throw error;
  }
}
