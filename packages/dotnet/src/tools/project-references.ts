import { type Action, type ActionContext, type ActionResult, changed } from '../actions/action.js';
import { changedLines } from '../actions/changed-lines.js';
import { change, positional, runCli } from '../actions/cli-action.js';
import { commandFailed } from '../actions/command-failed.js';
import { assertNotSolution } from '../actions/find-target.js';
import type { Arguments } from '../actions/parameters.js';
import { lockTargetFor } from '../locks/lock-target.js';
import { itemsOf } from '../msbuild/evaluate.js';
import type { CommandRun } from '../process/command-run.js';
import { findProject } from '../project-files/find-project.js';
import { editedProjects } from './shared/projects-of.js';

const references: Action['lock'] = {
  operation: 'reference',
  targets: ({ args, cwd }) => [lockTargetFor(args.project, cwd)],
};

/** `remove reference` exits with 0 even if there is no such reference. */
const isThere = ({ output }: CommandRun) =>
  /already has a reference/i.test(output) && !/added to the project/i.test(output);
const isAbsent = ({ output }: CommandRun) => /could not be found/i.test(output) && !/` removed/i.test(output);

/** The projects whose references are added or removed. */
const referencesOf = ({ referencePath, references = [] }: Arguments) =>
  referencePath === undefined ? references : [referencePath];

function referenceCommand(verb: 'add' | 'remove', args: Arguments, call: ActionContext): string[] {
  assertNotSolution(call);
  return [verb, args.project!, 'reference', ...referencesOf(args)];
}

const referenceFields = ({ project, referencePath, references: several }: Arguments) => ({
  project,
  ...(referencePath === undefined ? { references: several } : { referencePath }),
});

/** The CLI evaluates the project for it, as no action that only looks may (docs/spec/dotnet-evaluation.md#reading-projects). */
async function listReferences(call: ActionContext): Promise<ActionResult> {
  const { project } = call.args;
  const path = findProject(call.resolve(project ?? '.'));
  if (path === undefined) {
    const commandArgs = () => ['list', ...positional(project), 'reference'];
    throw commandFailed(await runCli({ label: 'Listing the references', commandArgs }, call), { label: 'List' });
  }
  const { outer, inner } = await call.services.projects(call).evaluate(path, REFERENCES);
  const items = [outer, ...inner].flatMap((evaluation) => itemsOf(evaluation, 'ProjectReference'));
  const references = [...new Set(items.map(({ include }) => include))];
  return { data: { references }, text: references.join('\n') || `${path} references no project` };
}

const REFERENCES = { properties: [], itemTypes: ['ProjectReference'] };

/** References from one project to another. */
export const referenceActions: Record<string, Action> = {
  AddReference: {
    finds: 'project',
    requiredOneOf: ['referencePath', 'references'],
    lock: references,
    edits: editedProjects,
    execute: change({
      label: 'Adding the reference',
      commandArgs: (args, call) => referenceCommand('add', args, call),
      answer: async (run, call) => {
        const { args } = call;
        const subject = `${args.project} references ${referencesOf(args).join(', ')}`;
        return changed(
          isThere(run) ? `${subject} already` : subject,
          { ...(isThere(run) && { changed: false }), ...referenceFields(args) },
          { notes: await changedLines(call) },
        );
      },
    }),
  },
  RemoveReference: {
    finds: 'project',
    requiredOneOf: ['referencePath', 'references'],
    lock: references,
    edits: editedProjects,
    execute: change({
      label: 'Removing the reference',
      commandArgs: (args, call) => referenceCommand('remove', args, call),
      answer: async (run, call) => {
        const { args } = call;
        const subject = referencesOf(args).join(', ');
        return changed(
          isAbsent(run) ? `${args.project} does not reference ${subject}` : `Removed the reference to ${subject}`,
          { ...(isAbsent(run) && { changed: false }), ...referenceFields(args) },
          { notes: await changedLines(call) },
        );
      },
    }),
  },
  ListReferences: {
    optional: ['project'],
    isReadOnly: true,
    lists: 'references',
    execute: listReferences,
  },
};
