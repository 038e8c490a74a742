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

/** True if the project had all references before. */
const isThere = ({ output }: CommandRun) =>
  /already has a reference/i.test(output) && !/added to the project/i.test(output);
/**
 * True if no reference was removed. The exit code does not tell, because it is 0 even if there is no such reference.
 */
const isAbsent = ({ output }: CommandRun) => /could not be found/i.test(output) && !/` removed/i.test(output);

/** Returns the projects that the call adds or removes as references. */
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

/**
 * Reads the references by a restricted evaluation. The CLI would evaluate the project without the restrictions for
 * read-only actions (docs/spec/dotnet-evaluation.md#reading-projects).
 */
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
