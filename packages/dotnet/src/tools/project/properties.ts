import { existsSync } from 'node:fs';
import { counted } from '../../diagnose/diagnostic-fields.js';
import { lockTargetFor } from '../../locks/lock-target.js';
import { addItem, type ProjectEdit, removeItem, removeProperty, setProperty } from '../../projects/edit-project.js';
import { findProject } from '../../projects/find-project.js';
import { getProperty, listItems } from '../../projects/query-project.js';
import { readTextFile, writeTextFile } from '../../projects/write-file.js';
import type { Action, ActionCall, Answer } from '../../tool/action.js';
import { InvalidParameter, missingParameter } from '../../tool/invalid-parameter.js';
import { offerRestore, withRestoreOffer } from '../offer-restore.js';
import { secretNamed } from '../secret-names.js';

/** The project file of a call, absolute. @throws InvalidParameter where there is none */
export function projectFile(call: ActionCall): string {
  const given = call.args.project!;
  const parameter = call.args.projectPath === undefined ? 'project' : 'projectPath';
  const path = call.resolve(given);
  const file = findProject(path);
  if (file !== undefined) return file;
  if (existsSync(path)) throw noProject(parameter, given);
  throw new InvalidParameter(parameter, 'not found', `Project file not found: ${given}`, {
    providedValue: given,
    hint: `It was looked for as ${path}.`,
  });
}

/** Something is there, but no project: a solution, for one. */
function noProject(parameter: string, given: string): InvalidParameter {
  const isFolder = !/\.\w+$/.test(given);
  const message = isFolder
    ? `The folder ${given} does not hold exactly one project`
    : `${given} is no project, and this action is about one project`;
  const hint = 'Name a project file; for a solution there is dotnet_solution Analyze.';
  return new InvalidParameter(parameter, 'invalid value', message, { providedValue: given, hint });
}

const lock: Action['lock'] = {
  operation: 'edit',
  targets: ({ args, cwd }) => [lockTargetFor(args.project, cwd)],
};

/** An edit of the project file: whole or not at all, and never over somebody else's change. */
function edit<Edit extends ProjectEdit>(
  change: (text: string, call: ActionCall) => Edit,
  answer: (call: ActionCall, edited: Edit) => { summary: string; data: object },
): Action['run'] {
  return async (call) => {
    const file = await readTextFile(projectFile(call));
    const edited = change(file.text, call);
    if (edited.changed) await writeTextFile(file, edited.text);
    const { summary, data } = answer(call, edited);
    return {
      data: { success: true, ...(!edited.changed && { changed: false }), projectPath: file.path, ...data, summary },
      text: summary,
    };
  };
}

/** Properties and items that packages bring are read from files that a restore writes. */
const NOT_RESTORED = 'The project is not restored, or changed since: what its packages add is not known.';

function asked(
  summary: (data: never) => string[],
  ask: (call: ActionCall, file: string) => Promise<{ readonly restored: boolean }>,
): Action['run'] {
  return async (call): Promise<Answer> => {
    const { project } = call.args;
    const data = await ask(call, projectFile(call));
    const text = summary(data as never);
    if (!data.restored) text.push(NOT_RESTORED, offerRestore(call.args, project).text);
    return { data: withRestoreOffer(data, call.args, project!), text: text.join('\n') };
  };
}

export const propertyActions: Record<string, Action> = {
  SetProperty: {
    finds: 'project',
    requires: ['propertyName'],
    takes: ['propertyValue'],
    check({ propertyValue }) {
      if (propertyValue === undefined) throw missingParameter('propertyValue');
    },
    lock,
    run: edit(
      (text, { args }) => setProperty(text, args.propertyName!, args.propertyValue!),
      ({ args: { propertyName, propertyValue } }, { changed: isChanged }) => ({
        summary: isChanged ? `${propertyName} is set` : `${propertyName} had this value already`,
        data: { propertyName, propertyValue: secretNamed(propertyName!, propertyValue!) },
      }),
    ),
  },
  GetProperty: {
    finds: 'project',
    requires: ['propertyName'],
    run: asked(
      ({ propertyName, propertyValue, isSet }: { propertyName: string; propertyValue: string; isSet: boolean }) => [
        isSet ? `${propertyName} = ${propertyValue}` : `${propertyName} is not set`,
      ],
      async (call, file) => {
        const name = call.args.propertyName!;
        const found = await getProperty(call.services.projects(call), file, name);
        const { valuesByFramework: values } = found;
        const shown = (value: string) => secretNamed(name, value);
        return {
          ...found,
          propertyValue: shown(found.propertyValue),
          ...(values && {
            valuesByFramework: Object.fromEntries(Object.entries(values).map(([tfm, value]) => [tfm, shown(value)])),
          }),
        };
      },
    ),
  },
  RemoveProperty: {
    finds: 'project',
    requires: ['propertyName'],
    lock,
    run: edit(
      (text, { args }) => removeProperty(text, args.propertyName!),
      ({ args: { propertyName } }, { changed: removed, conditionalCount }) => {
        const summary = removed ? `${propertyName} was removed` : `${propertyName} was not set in the project`;
        const stay = conditionalCount > 0 ? `; ${conditionalCount} under a condition stay` : '';
        return { summary: summary + stay, data: { propertyName, removed } };
      },
    ),
  },
  AddItem: {
    finds: 'project',
    requires: ['itemType', 'include'],
    takes: ['metadata'],
    lock,
    run: edit(
      (text, { args }) => addItem(text, args.itemType!, args.include!, args.metadata as Record<string, string>),
      ({ args: { itemType, include, metadata } }, { changed: isChanged }) => ({
        summary: isChanged ? `${itemType} ${include} was added` : `${itemType} ${include} was there already`,
        data: { itemType, include, ...(metadata && { metadata }) },
      }),
    ),
  },
  RemoveItem: {
    finds: 'project',
    requires: ['itemType', 'include'],
    lock,
    run: edit(
      (text, { args }) => removeItem(text, args.itemType!, args.include!),
      ({ args: { itemType, include } }, { changed: removed }) => ({
        summary: removed ? `${itemType} ${include} was removed` : `There was no ${itemType} ${include}`,
        data: { itemType, include, removed },
      }),
    ),
  },
  ListItems: {
    finds: 'project',
    takes: ['itemType'],
    run: asked(
      ({ items }: { items: { itemType: string; include: string }[] }) => [
        ...items.map(({ itemType, include }) => `${itemType}: ${include}`),
        counted(items.length, 'item'),
      ],
      async (call, file) => {
        const found = await listItems(call.services.projects(call), file, call.args.itemType);
        const items = found.items.map(({ metadata, ...item }) => ({
          ...item,
          metadata: Object.fromEntries(
            Object.entries(metadata).map(([name, value]) => [name, secretNamed(name, value)]),
          ),
        }));
        return { ...found, items };
      },
    ),
  },
};
