import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { type Action, type ActionContext, type ActionResult, changed } from '../../actions/action.js';
import { isPropsFile } from '../../actions/checks.js';
import { InvalidParameterError } from '../../actions/invalid-parameter.js';
import type { Arguments, ParameterName } from '../../actions/parameters.js';
import { manual } from '../../advice/next-call.js';
import { lockTargetFor } from '../../locks/lock-target.js';
import type { GlobalProperties } from '../../msbuild/evaluate.js';
import type { ProjectEdit } from '../../project-files/edit-project.js';
import { findProject } from '../../project-files/find-project.js';
import { describeChange, lineChanges } from '../../project-files/line-changes.js';
import { relativePath } from '../../project-files/relative-path.js';
import { readTextFile, writeTextFile } from '../../project-files/text-file.js';
import { suggestRestore, withRestoreSuggestion } from '../shared/suggest-restore.js';

/**
 * Returns the absolute path of the call's project file. For actions on properties it can also be a
 * Directory.Build.props or Directory.Packages.props.
 * @throws InvalidParameterError if the file does not exist or is not a project
 */
export function projectFile(call: ActionContext): string {
  const projectArgument = call.args.project!;
  const parameter = call.args.projectPath === undefined ? 'project' : 'projectPath';
  const path = call.resolve(projectArgument);
  const isProps = isPropsFile(projectArgument);
  const isWriting = call.args.action === 'SetProperty';
  if (isProps && existsSync(path)) return path;
  const file = isProps ? undefined : findProject(path);
  if (file !== undefined) return file;
  if (existsSync(path)) throw noProject(parameter, projectArgument);
  throw new InvalidParameterError(parameter, 'not found', `Project file not found: ${projectArgument}`, {
    providedValue: projectArgument,
    hint: `Give the path of an existing file. Resolved path: ${path}.`,
    // Reading or removing a property must not create a missing file.
    ...(isProps && { recommendedAction: isWriting ? createProps(projectArgument) : NO_FILE }),
  });
}

const NO_FILE = manual(
  'No property is set there: the file does not exist. Name the project to read what it evaluates to.',
);

/** Recommends to create a Directory.Build.props or Directory.Packages.props with `dotnet new`. */
function createProps(path: string): RecommendedAction {
  const template = /packages/i.test(basename(path)) ? 'packagesprops' : 'buildprops';
  const folder = dirname(path);
  return {
    actionKind: 'CallTool',
    description: `Create ${basename(path)}, then call again.`,
    toolName: 'dotnet_project',
    arguments: { action: 'New', template, ...(folder !== '.' && { output: folder }) },
  };
}

/** Creates the error for a path that exists but is not a project, for example a solution. */
function noProject(parameter: string, projectArgument: string): InvalidParameterError {
  const isFolder = !/\.\w+$/.test(projectArgument);
  const message = isFolder
    ? `The folder ${projectArgument} does not hold exactly one project`
    : `${projectArgument} is not a project, and this action is about one project`;
  const hint = 'Name a project file; for a solution there is dotnet_solution Analyze.';
  return new InvalidParameterError(parameter, 'invalid value', message, { providedValue: projectArgument, hint });
}

/** Locks the project or, for a file that applies to all projects below its folder, the folder. */
export const editLock: NonNullable<Action['lock']> = {
  operation: 'edit',
  targets: ({ args: { project = '.' }, cwd }) => [
    lockTargetFor(isPropsFile(project) ? dirname(project) : project, cwd),
  ],
};

/** Creates an action that edits the project file atomically and never overwrites a change of another program. */
export function edit<Edit extends ProjectEdit>(
  change: (text: string, call: ActionContext) => Edit,
  answer: (call: ActionContext, edited: Edit, file: EditedFile) => EditAnswer | Promise<EditAnswer>,
): Action['execute'] {
  return async (call) => {
    const file = await readTextFile(projectFile(call));
    const edited = change(file.text, call);
    if (edited.changed) await writeTextFile(file, edited.text);
    const changes = lineChanges(file.text, edited.text).filter((change) => describeChange(change) !== undefined);
    const lines = [...new Set(changes.map(({ line }) => line))];
    const place = [relativePath(call.cwd, file.path), ...lineNumbers(lines)].join(', ');
    const { summary, data, notes = [] } = await answer(call, edited, { path: file.path, before: file.text, place });
    return changed(summary, { ...(!edited.changed && { changed: false }), projectPath: file.path, ...data }, { notes });
  };
}

/** Returns `line 7`, `lines 7 and 9` or `lines 7 to 12`; empty if there are no lines. */
function lineNumbers(lines: readonly number[]): string[] {
  const [first, second] = lines;
  if (first === undefined) return [];
  if (second === undefined) return [`line ${first}`];
  return [`lines ${first} ${lines.length === 2 ? 'and' : 'to'} ${lines.at(-1)}`];
}

interface EditedFile {
  /** The absolute path. */
  readonly path: string;
  /** The text before the edit. */
  readonly before: string;
  /** The relative path and the changed lines, for a sentence: `App/App.csproj, line 7`. */
  readonly place: string;
}

interface EditAnswer {
  readonly summary: string;
  readonly data: object;
  readonly notes?: readonly string[];
}

/**
 * Makes several edits of one text.
 * @param apply makes one edit
 * @returns the text, and the edits that changed it
 */
export function editEach<T>(text: string, edits: readonly T[], apply: (text: string, edit: T) => ProjectEdit) {
  let current = text;
  const changedItems: T[] = [];
  for (const item of edits) {
    const edited = apply(current, item);
    if (edited.changed) changedItems.push(item);
    current = edited.text;
  }
  return { text: current, changed: changedItems.length > 0, changedItems };
}

/**
 * The note if the files that a restore writes, with the properties and items of packages, are missing or out of date.
 */
const NOT_RESTORED = 'The project is not restored, or changed since: what its packages add is not known.';

/** The answer to a query about a project, as data and as lines of text. */
interface QueryReport {
  readonly data: { readonly restored: boolean };
  readonly lines: readonly string[];
}

/**
 * Creates an action that reads a project. For a project that is not restored, a note and a recommended restore are
 * added.
 */
export function queryFile(ask: (call: ActionContext, file: string) => Promise<QueryReport>): Action['execute'] {
  return async (call): Promise<ActionResult> => {
    const { project } = call.args;
    const { data, lines } = await ask(call, projectFile(call));
    const notes = data.restored ? [] : [NOT_RESTORED, suggestRestore(call.args, project).text];
    return { data: withRestoreSuggestion(data, call.args, project!), text: [...lines, ...notes].join('\n') };
  };
}

/** The parameters that {@link globalsOf} reads. */
export const GLOBALS: readonly ParameterName[] = ['framework', 'configuration', 'runtime'];

/**
 * Returns the global properties for an evaluation with another framework, configuration or runtime than the project's
 * own.
 */
export function globalsOf({ framework, configuration, runtime }: Arguments): GlobalProperties {
  return {
    ...(framework !== undefined && { TargetFramework: framework }),
    ...(configuration !== undefined && { Configuration: configuration }),
    ...(runtime !== undefined && { RuntimeIdentifier: runtime }),
  };
}
