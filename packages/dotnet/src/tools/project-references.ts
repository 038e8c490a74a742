import { type Action, changed } from '../actions/action.js';
import { change, positional, query } from '../actions/cli-action.js';
import type { Arguments } from '../actions/parameters.js';
import { lockTargetFor } from '../locks/lock-target.js';
import type { CommandRun } from '../process/command-run.js';

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

const referenceFields = ({ project, referencePath, references: several }: Arguments) => ({
  project,
  ...(referencePath === undefined ? { references: several } : { referencePath }),
});

/** References from one project to another. */
export const referenceActions: Record<string, Action> = {
  AddReference: {
    finds: 'project',
    requiredOneOf: ['referencePath', 'references'],
    lock: references,
    execute: change({
      label: 'Adding the reference',
      commandArgs: (args) => ['add', args.project!, 'reference', ...referencesOf(args)],
      answer: (run, { args }) => {
        const subject = `${args.project} references ${referencesOf(args).join(', ')}`;
        return changed(isThere(run) ? `${subject} already` : subject, {
          ...(isThere(run) && { changed: false }),
          ...referenceFields(args),
        });
      },
    }),
  },
  RemoveReference: {
    finds: 'project',
    requiredOneOf: ['referencePath', 'references'],
    lock: references,
    execute: change({
      label: 'Removing the reference',
      commandArgs: (args) => ['remove', args.project!, 'reference', ...referencesOf(args)],
      answer: (run, { args }) => {
        const subject = referencesOf(args).join(', ');
        return changed(
          isAbsent(run) ? `${args.project} does not reference ${subject}` : `Removed the reference to ${subject}`,
          { ...(isAbsent(run) && { changed: false }), ...referenceFields(args) },
        );
      },
    }),
  },
  ListReferences: {
    optional: ['project'],
    isReadOnly: true,
    execute: query({
      label: 'Listing the references',
      commandArgs: ({ project }) => ['list', ...positional(project), 'reference'],
      data({ stdout }) {
        const lines = stdout.split(/\r?\n/);
        const from = lines.findIndex((line) => /^-{3,}$/.test(line.trim()));
        return {
          references:
            from < 0
              ? []
              : lines
                  .slice(from + 1)
                  .map((line) => line.trim())
                  .filter(Boolean),
        };
      },
    }),
  },
};
