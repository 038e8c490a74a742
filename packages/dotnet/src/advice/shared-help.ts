import { isDeepStrictEqual } from 'node:util';
import type { ErrorHelp, ErrorResult } from '@mortise/plugin';

/** The maximum length of the errors of a result with their help, in characters of JSON. */
const ERROR_CHARS = 10_800;
/** The part of {@link ERROR_CHARS} that the shared help may take. */
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
  /** The help by code. Absent if there is only one error, which has its help in itself. */
  readonly codes?: Record<string, ErrorHelp>;
  /** The number of errors that are not in `errors`. */
  readonly omitted: number;
}

/**
 * Shortens the errors of a result. The first stays complete; the others lose the help that `codes` has for their code,
 * and the printed line if they have a place. If they still do not fit and all belong to one project, only the first
 * names it. Errors that do not fit then are left out.
 * @param usedChars the characters of the maximum that other fields of the result take
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

/** Returns the items that fit into `maxChars` characters of JSON; the first always does. */
export function fitting<T>(items: readonly T[], maxChars: number): T[] {
  let room = maxChars;
  return items.filter((item, index) => {
    room -= chars(item) + 1;
    return index === 0 || room >= 0;
  });
}

/** Returns the help of the first error of each code, for as many codes as fit. */
function helpByCode(entries: readonly ErrorResult[]): Record<string, ErrorHelp> {
  const helpOfCode = new Map<string, ErrorHelp>();
  for (const entry of entries) {
    const help = helpOf(entry);
    if (!helpOfCode.has(entry.code) && Object.keys(help).length > 0) helpOfCode.set(entry.code, help);
  }
  return Object.fromEntries(fitting([...helpOfCode], HELP_CHARS));
}

function helpOf(entry: ErrorResult): ErrorHelp {
  const members = HELP.filter(
    (name) => entry[name] !== undefined && !(name === 'recommendedAction' && hasOnlyLocation(entry)),
  );
  return Object.fromEntries(members.map((name) => [name, entry[name]]));
}

/** True if the next action only says to correct the place of the error. */
function hasOnlyLocation({ file, recommendedAction: action }: ErrorResult): boolean {
  if (file === undefined || typeof action !== 'object' || action.actionKind !== 'ManualStep') return false;
  return action.description.includes(file);
}

function withoutHelp(entry: ErrorResult, shared: ErrorHelp | undefined): ErrorResult {
  const own = { ...entry };
  if (hasOnlyLocation(entry)) delete own.recommendedAction;
  for (const name of HELP) if (shared && isDeepStrictEqual(own[name], shared[name])) delete own[name];
  return own;
}

/** Empties `rawOutput` of an error with a place, because it repeats place and message. */
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
