import type { AuditEntry } from './audit-event.js';
import { isFailed } from './read-audit.js';

/** Statistics of one tool or principal. */
export interface AuditRow {
  readonly name: string;
  readonly calls: number;
  readonly errors: number;
  /** The median of all durations; null if no line has one. */
  readonly medianMs: number | null;
  readonly longestMs: number | null;
}

export interface AuditSummary {
  readonly entries: number;
  readonly from: string | null;
  readonly to: string | null;
  /** Tools, prompts and URIs, the most frequent first. */
  readonly targets: readonly AuditRow[];
  readonly principals: readonly AuditRow[];
  /** Error codes, the most frequent first. */
  readonly codes: readonly { readonly code: string; readonly count: number }[];
}

/** Counts calls and errors by target, principal and code. */
export function sumUpAudit(entries: readonly AuditEntry[]): AuditSummary {
  const codes = groupsOf(entries.filter(isFailed), ({ outcome }) => outcome);
  return {
    entries: entries.length,
    from: entries.at(0)?.time ?? null,
    to: entries.at(-1)?.time ?? null,
    targets: rowsOf(entries, ({ target }) => target),
    principals: rowsOf(entries, ({ principal }) => principal),
    codes: codes.map(([code, { length: count }]) => ({ code, count })),
  };
}

function rowsOf(entries: readonly AuditEntry[], nameOf: (entry: AuditEntry) => string | undefined): AuditRow[] {
  return groupsOf(entries, nameOf).map(([name, group]) => {
    const durations = group.flatMap(({ durationMs }) => durationMs ?? []).sort((a, b) => a - b);
    return {
      name,
      calls: group.length,
      errors: group.filter(isFailed).length,
      medianMs: durations[Math.floor(durations.length / 2)] ?? null,
      longestMs: durations.at(-1) ?? null,
    };
  });
}

/** Groups entries by name, the largest group first. Entries without a name are left out. */
function groupsOf(
  entries: readonly AuditEntry[],
  nameOf: (entry: AuditEntry) => string | undefined,
): [string, AuditEntry[]][] {
  const groups = new Map<string, AuditEntry[]>();
  for (const entry of entries) {
    const name = nameOf(entry);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group) group.push(entry);
    else groups.set(name, [entry]);
  }
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}
