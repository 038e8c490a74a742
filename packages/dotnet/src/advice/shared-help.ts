import { isDeepStrictEqual } from 'node:util';
import type { ErrorHelp, ErrorResult } from '@mortise/plugin';

/** Characters of JSON for all errors of one result with their help, and how much of them the help may be. */
const ERROR_CHARS = 10_800;
const HELP_CHARS = 2_400;

const HELP = [
  'hint',
  'explanation',
  'documentationUrl',
  'suggestedFixes',
  'rootCauseKind',
  'recommendedAction',
] as const satisfies readonly (keyof ErrorHelp)[];

export interface SharedHelp {
  readonly errors: ErrorResult[];
  /** Absent for one error: it carries its own. */
  readonly codes?: Record<string, ErrorHelp>;
  /** Errors that are not shown. */
  readonly omitted: number;
}

/**
 * Errors as a result shows them: the first as the contract has it; the others without the help that `codes` gives once for
 * their code, and without the line that their place and message repeat; and no more than fit. Where they do not fit, the project that all of them belong to stays with the first.
 * @param usedChars of the room that something else takes
 */
export function shareHelp(entries: readonly ErrorResult[], usedChars = 0): SharedHelp {
  const [first, ...more] = entries;
  if (first === undefined || more.length === 0) return { errors: [...entries], omitted: 0 };
  const codes = helpByCode(entries);
  const errors = [first, ...more.map((entry) => withoutHelp(withoutLine(entry), codes[entry.code]))];
  const room = ERROR_CHARS - chars(codes) - usedChars;
  const listed = fitting(chars(errors) <= room ? errors : withProjectOnce(errors), room);
  return {
    errors: listed,
    ...(Object.keys(codes).length > 0 && { codes }),
    omitted: entries.length - listed.length,
  };
}

/** The first items whose JSON has at most `maxChars` characters, and at least one. */
export function fitting<T>(items: readonly T[], maxChars: number): T[] {
  let room = maxChars;
  return items.filter((item, index) => {
    room -= chars(item) + 1;
    return index === 0 || room >= 0;
  });
}

/** The help of the first error of each code, as much as fits. */
function helpByCode(entries: readonly ErrorResult[]): Record<string, ErrorHelp> {
  const found = new Map<string, ErrorHelp>();
  for (const entry of entries) {
    const help = helpOf(entry);
    if (!found.has(entry.code) && Object.keys(help).length > 0) found.set(entry.code, help);
  }
  return Object.fromEntries(fitting([...found], HELP_CHARS));
}

function helpOf(entry: ErrorResult): ErrorHelp {
  const members = HELP.filter(
    (name) => entry[name] !== undefined && !(name === 'recommendedAction' && hasOnlyLocation(entry)),
  );
  return Object.fromEntries(members.map((name) => [name, entry[name]]));
}

/** Whether the next action only repeats the location of the error. */
function hasOnlyLocation({ file, recommendedAction: action }: ErrorResult): boolean {
  if (file === undefined || typeof action !== 'object' || action.actionKind !== 'ManualStep') return false;
  return action.description.includes(file);
}

/** Keeps what differs from the shared help, such as another next action. */
function withoutHelp(entry: ErrorResult, shared: ErrorHelp | undefined): ErrorResult {
  const own = { ...entry };
  if (hasOnlyLocation(entry)) delete own.recommendedAction;
  for (const name of HELP) if (shared && isDeepStrictEqual(own[name], shared[name])) delete own[name];
  return own;
}

/** The printed text of an error with a place contains no more than place and message. */
function withoutLine(entry: ErrorResult): ErrorResult {
  return entry.file !== undefined && entry.line !== undefined ? { ...entry, rawOutput: '' } : entry;
}

function withProjectOnce(entries: ErrorResult[]): ErrorResult[] {
  const projectOf = ({ data }: ErrorResult) => data?.additionalData?.project;
  const project = projectOf(entries[0]!);
  if (project === undefined || entries.some((entry) => projectOf(entry) !== project)) return entries;
  return entries.map((entry, index) => (index === 0 ? entry : withoutProject(entry)));
}

function withoutProject(entry: ErrorResult): ErrorResult {
  const { data, ...rest } = entry;
  const { additionalData: { project: _, ...additionalData } = {}, ...more } = data ?? {};
  const isEmpty = Object.keys(additionalData).length === 0;
  return { ...rest, data: isEmpty ? more : { ...more, additionalData } };
}

function chars(value: unknown): number {
  return JSON.stringify(value).length;
}
