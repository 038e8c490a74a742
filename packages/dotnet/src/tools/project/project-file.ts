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
 * The project file of a call, absolute; for the actions on properties also a Directory.Build.props or
 * Directory.Packages.props.
 * @throws InvalidParameterError if there is none
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
    hint: `Resolved path: ${path}.`,
    // Reading or removing a property must not create a missing file.
    ...(isProps && { recommendedAction: isWriting ? createProps(projectArgument) : NO_FILE }),
  });
}

const NO_FILE = manual(
  'No property is set there: the file does not exist. Name the project to read what it evaluates to.',
);

/** `dotnet new` makes a Directory.Build.props and a Directory.Packages.props. */
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

/** The path exists but is not a project, for example a solution. */
function noProject(parameter: string, projectArgument: string): InvalidParameterError {
  const isFolder = !/\.\w+$/.test(projectArgument);
  const message = isFolder
    ? `The folder ${projectArgument} does not hold exactly one project`
    : `${projectArgument} is not a project, and this action is about one project`;
  const hint = 'Name a project file; for a solution there is dotnet_solution Analyze.';
  return new InvalidParameterError(parameter, 'invalid value', message, { providedValue: projectArgument, hint });
}

/** The lock of the project, or of the folder if the file applies to all projects below it. */
export const editLock: NonNullable<Action['lock']> = {
  operation: 'edit',
  targets: ({ args: { project = '.' }, cwd }) => [
    lockTargetFor(isPropsFile(project) ? dirname(project) : project, cwd),
  ],
};

/** Edits the project file atomically, and never overwrites another program's change. */
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

/** `line 7`, `lines 7 and 9`, `lines 7 to 12`; empty if there are none. */
function lineNumbers(lines: readonly number[]): string[] {
  const [first, second] = lines;
  if (first === undefined) return [];
  if (second === undefined) return [`line ${first}`];
  return [`lines ${first} ${lines.length === 2 ? 'and' : 'to'} ${lines.at(-1)}`];
}

interface EditedFile {
  /** Absolute. */
  readonly path: string;
  readonly before: string;
  /** For a sentence, with the lines that were changed: `App/App.csproj, line 7`. */
  readonly place: string;
}

interface EditAnswer {
  readonly summary: string;
  readonly data: object;
  readonly notes?: readonly string[];
}

/** Several edits of one text; changed if one of them changed it. */
export function editEach<T>(text: string, edits: readonly T[], one: (text: string, edit: T) => ProjectEdit) {
  let current = text;
  const changedOnes: T[] = [];
  for (const item of edits) {
    const edited = one(current, item);
    if (edited.changed) changedOnes.push(item);
    current = edited.text;
  }
  return { text: current, changed: changedOnes.length > 0, changedOnes };
}

/** Properties and items that packages bring are read from files that a restore writes. */
const NOT_RESTORED = 'The project is not restored, or changed since: what its packages add is not known.';

/** What was asked of a project: as data, and as lines of text. */
interface QueryReport {
  readonly data: { readonly restored: boolean };
  readonly lines: readonly string[];
}

export function queryFile(ask: (call: ActionContext, file: string) => Promise<QueryReport>): Action['execute'] {
  return async (call): Promise<ActionResult> => {
    const { project } = call.args;
    const { data, lines } = await ask(call, projectFile(call));
    const notes = data.restored ? [] : [NOT_RESTORED, suggestRestore(call.args, project).text];
    return { data: withRestoreSuggestion(data, call.args, project!), text: [...lines, ...notes].join('\n') };
  };
}

/** Parameters that {@link globalsOf} reads. */
export const GLOBALS: readonly ParameterName[] = ['framework', 'configuration', 'runtime'];

/** What an evaluation is asked for: one framework, configuration or runtime instead of the project's own. */
export function globalsOf({ framework, configuration, runtime }: Arguments): GlobalProperties {
  return {
    ...(framework !== undefined && { TargetFramework: framework }),
    ...(configuration !== undefined && { Configuration: configuration }),
    ...(runtime !== undefined && { RuntimeIdentifier: runtime }),
  };
}
