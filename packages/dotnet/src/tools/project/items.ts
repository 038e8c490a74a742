import type { Action, ActionContext } from '../../actions/action.js';
import { counted } from '../../advice/diagnostic-fields.js';
import { listItems } from '../../analysis/query-project.js';
import { secretNamed } from '../../process/secret-names.js';
import { addItem, removeItem } from '../../project-files/edit-project.js';
import { edit, editEach, editLock, GLOBALS, globalsOf, queryFile } from './project-file.js';

const includesOf = ({ args: { include = [] } }: ActionContext) => [include].flat();

/** Returns the fields that repeat the arguments: `include` if it is a string, `includes` if it is a list. */
const fields = ({ args: { itemType, include } }: ActionContext) => ({
  itemType,
  ...(typeof include === 'string' ? { include } : { includes: include }),
});

interface ListedItem {
  readonly itemType: string;
  readonly include: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly frameworks?: readonly string[];
}

/** Returns for example `PackageReference: Dapper 2.1.66 (net8.0)`. */
function itemLine({ itemType, include, metadata, frameworks }: ListedItem): string {
  const version = /^Package(?:Reference|Version)$/i.test(itemType) ? metadata.Version : undefined;
  return [
    `${itemType}: ${include}`,
    ...(version ? [version] : []),
    ...(frameworks ? [`(${frameworks.join(', ')})`] : []),
  ].join(' ');
}

export const itemActions: Record<string, Action> = {
  AddItem: {
    finds: 'project',
    required: ['itemType', 'include'],
    optional: ['metadata'],
    lock: editLock,
    execute: edit(
      (text, call) => {
        const { itemType, metadata } = call.args;
        return editEach(text, includesOf(call), (current, include) =>
          addItem(current, itemType!, include, metadata as Record<string, string>),
        );
      },
      (call, { changed, changedItems }, { place }) => {
        const { itemType, metadata } = call.args;
        const names = (changed ? changedItems : includesOf(call)).join(', ');
        return {
          summary: changed
            ? `${itemType} ${names} was added to ${place}`
            : `${itemType} ${names} was in ${place} already`,
          data: { ...fields(call), ...(metadata && { metadata }) },
        };
      },
    ),
  },
  RemoveItem: {
    finds: 'project',
    required: ['itemType', 'include'],
    lock: editLock,
    execute: edit(
      (text, call) =>
        editEach(text, includesOf(call), (current, include) => removeItem(current, call.args.itemType!, include)),
      (call, { changed: removed, changedItems }, { place }) => {
        const names = (removed ? changedItems : includesOf(call)).join(', ');
        const { itemType } = call.args;
        return {
          summary: removed
            ? `${itemType} ${names} was removed from ${place}`
            : `There was no ${itemType} ${names} in ${place}`,
          data: { ...fields(call), removed },
        };
      },
    ),
  },
  ListItems: {
    finds: 'project',
    optional: ['itemType', ...GLOBALS],
    isReadOnly: true,
    lists: 'items',
    execute: queryFile(async (call, file) => {
      const { itemType } = call.args;
      const list = await listItems(call.services.projects(call), file, itemType, globalsOf(call.args));
      const items = list.items.map(({ metadata, ...item }) => ({
        ...item,
        metadata: Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, secretNamed(name, value)])),
      }));
      return { data: { ...list, items }, lines: [...items.map(itemLine), counted(items.length, 'item')] };
    }),
  },
};
