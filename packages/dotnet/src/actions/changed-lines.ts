import { groupBy } from '../analysis/group-by.js';
import type { FileChange } from '../project-files/edited-files.js';
import { describeChange, withoutContent } from '../project-files/line-changes.js';
import { relativePath } from '../project-files/relative-path.js';
import type { ActionContext } from './action.js';

const MAX_LINES = 20;

/** What the call changed since the last look: `Directory.Packages.props, line 7: 12.0.1 → 13.0.3`. */
export async function changedLines(
  call: ActionContext,
  format?: Parameters<typeof describeChange>[1],
): Promise<string[]> {
  const lines = withoutContent(await call.changes()).flatMap((change) => {
    const what = describeChange(change, format);
    return what === undefined ? [] : [`${placeOf(call, change)}: ${what}`];
  });
  const more = lines.length - MAX_LINES;
  return more > 0 ? [...lines.slice(0, MAX_LINES), `… and ${more} more lines`] : lines;
}

/** Names one changed place of each file, `nuget.config, line 5`, and not its text, which can be a secret. */
export async function changedPlaces(call: ActionContext): Promise<string[]> {
  const byFile = groupBy(await call.changes(), ({ file }) => file);
  return [...byFile.values()].map((changes) => placeOf(call, changes.find(isEntry) ?? changes[0]!));
}

/** An entry that was added or removed, not what it is in. */
const isEntry = (change: FileChange) =>
  (change.before === undefined || change.after === undefined) && describeChange(change) !== undefined;

/** `App/App.csproj, line 7`. */
export function placeOf(
  { cwd }: Pick<ActionContext, 'cwd'>,
  { file, line }: { readonly file: string; readonly line: number },
): string {
  return `${relativePath(cwd, file)}, line ${line}`;
}
