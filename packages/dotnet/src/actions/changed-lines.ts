import { groupBy } from '../analysis/group-by.js';
import type { FileChange } from '../project-files/edited-files.js';
import { describeChange, withoutContent } from '../project-files/line-changes.js';
import { relativePath } from '../project-files/relative-path.js';
import type { ActionContext } from './action.js';

const MAX_LINES = 20;

/**
 * Describes, one per line, what the call has changed in files since the previous `call.changes()`:
 * `Directory.Packages.props, line 7: 12.0.1 → 13.0.3`.
 */
export async function changedLines(
  call: ActionContext,
  format?: Parameters<typeof describeChange>[1],
): Promise<string[]> {
  const lines = withoutContent(await call.changes()).flatMap((change) => {
    const description = describeChange(change, format);
    return description === undefined ? [] : [`${placeOf(call, change)}: ${description}`];
  });
  const omittedCount = lines.length - MAX_LINES;
  return omittedCount > 0 ? [...lines.slice(0, MAX_LINES), `… and ${omittedCount} more lines`] : lines;
}

/** Returns one changed place of each file, `nuget.config, line 5`, without its text, because that can be a secret. */
export async function changedPlaces(call: ActionContext): Promise<string[]> {
  const byFile = groupBy(await call.changes(), ({ file }) => file);
  return [...byFile.values()].map((changes) => placeOf(call, changes.find(isEntry) ?? changes[0]!));
}

/** True if an entry was added or removed; false for the elements around entries. */
const isEntry = (change: FileChange) =>
  (change.before === undefined || change.after === undefined) && describeChange(change) !== undefined;

/** Returns for example `App/App.csproj, line 7`, relative to the folder of the call. */
export function placeOf(
  { cwd }: Pick<ActionContext, 'cwd'>,
  { file, line }: { readonly file: string; readonly line: number },
): string {
  return `${relativePath(cwd, file)}, line ${line}`;
}
