import type { ErrorResponse, ErrorResult, FullOutput, RecommendedAction } from '@mortise/plugin';
import { groupByMessage, otherPlaces } from './error-places.js';
import { lastChars } from './truncate.js';

const MAX_DIAGNOSTICS = 20;
const MAX_DIAGNOSTIC_CHARS = 4500;
const MAX_FIXES = 3;
/** The limit of raw output in the text of an error (docs/spec/contract.md#error-text). */
const MAX_RAW_CHARS = 2000;
const MAX_COMPARED_CHARS = 32 * MAX_RAW_CHARS;

/** Details of an error's text that the ErrorResponse does not have. */
export interface ErrorTextDetails {
  /** The first line if the errors have locations: `Build failed: 2 errors`. */
  readonly summary: string | undefined;
  /** A sentence that precedes the first error's message: `Test run failed.` */
  readonly prefix?: string | undefined;
  /** The number of errors that `errors[]` does not list. */
  readonly omittedErrors?: number;
  /** True if the tool runs commands. Its exit code −1 then means that no command ended, and the text shows it. */
  readonly runsCommands?: boolean;
  /** Adds the call id of the metadata to the text. */
  readonly showsCallId?: boolean;
}

/** Writes an error as text, one fact on each line (docs/spec/contract.md#error-text). */
export function errorText(response: ErrorResponse, details: ErrorTextDetails): string {
  const lines = errorLines(response, details);
  if (response.fullOutput) lines.push(fullOutputLine(response.fullOutput));
  const raw = lastRawOutput(response.errors, lines);
  if (raw !== '') lines.push(raw);
  const { callId } = response.metadata ?? {};
  if (details.showsCallId && typeof callId === 'string') lines.push(`Call: ${callId}`);
  if (hasExitCode(response, details)) lines.push(`Exit Code: ${response.exitCode}`);
  return lines.join('\n');
}

const hasExitCode = ({ exitCode, errors }: ErrorResponse, { runsCommands = false }: ErrorTextDetails): boolean =>
  runsCommands || exitCode !== NO_EXIT_CODE || errors.some(({ data }) => data?.command !== undefined);

const NO_EXIT_CODE = -1;

export function fullOutputLine({ uri, chars }: FullOutput): string {
  return `Full output: ${uri} (${chars} characters)`;
}

/** Writes the lines with hint, fixes, documentation and next action. */
export function hintLines(error: ErrorResult): string[] {
  const fixes = error.suggestedFixes?.length ? error.suggestedFixes : (error.alternatives ?? []);
  const hint = hintBeyondMessage(error);
  const next = nextLine(error);
  // If the next action repeats the hint, it is shown once, in the place of the hint.
  const isRepeated = next.length > 0 && hint !== undefined && hint === descriptionOf(error);
  return [
    ...(isRepeated ? next : hint ? [`Hint: ${hint}`] : []),
    ...fixes.slice(0, MAX_FIXES).map((fix) => `Fix: ${fix}`),
    ...(error.documentationUrl ? [`Docs: ${error.documentationUrl}`] : []),
    ...(isRepeated ? [] : next),
  ];
}

/** Returns the hint of an invalid action without the list of actions, if the message ends with that list. */
function hintBeyondMessage({ hint, message }: ErrorResult): string | undefined {
  if (!hint?.startsWith(ACTIONS)) return hint;
  const end = hint.indexOf(SUGGESTIONS);
  const list = hint.slice(ACTIONS.length, end < 0 ? undefined : end);
  if (!message.endsWith(list)) return hint;
  return end < 0 ? undefined : hint.slice(end + '. '.length);
}

const ACTIONS = 'Valid actions are: ';
const SUGGESTIONS = '. Did you mean ';

function errorLines({ errors }: ErrorResponse, { summary, prefix, omittedErrors = 0 }: ErrorTextDetails): string[] {
  const first = errors[0]!;
  const isSummarised = summary !== undefined && summary !== '' && errors.some(hasLocation);
  const headline = isSummarised ? summary : withPrefix(prefix, first.message);
  const isStatedByHeadline = (error: ErrorResult) =>
    error === first && (!hasLocation(error) || (error.file === undefined && headline.endsWith(error.message)));
  const listed = errors.filter((error) => !isStatedByHeadline(error));
  const common = commonOrigin(errors);
  const groups = groupByMessage(listed);
  const shown = linesThatFit(
    groups.slice(0, MAX_DIAGNOSTICS).map((group) => ({
      line: diagnosticLine(group.error, common) + otherPlaces(group),
      count: 1 + group.others.length,
    })),
  );
  const lines = shown.map(({ line }) => line);
  const more = listed.length - shown.reduce((sum, { count }) => sum + count, 0) + omittedErrors;
  return [
    `Error: ${headline.replace(ERROR_PREFIX, '')}`,
    `Code: ${first.code}`,
    ...lines,
    ...explainingWarnings(errors),
    ...(more > 0 ? [`… and ${more} more error${more === 1 ? '' : 's'}`] : []),
    ...hintLines(first),
  ];
}

function withPrefix(prefix: string | undefined, message: string): string {
  if (prefix === undefined || message.startsWith(prefix)) return message;
  return `${prefix}${prefix.endsWith('.') ? '' : '.'} ${message}`;
}

/** Many tools write this at the beginning of a message; the headline already has it. */
const ERROR_PREFIX = /^(?:error:\s+)+/i;

/** Returns the first line, and the others that fit into MAX_DIAGNOSTIC_CHARS. */
function linesThatFit<T extends { readonly line: string }>(lines: readonly T[]): T[] {
  let remainingChars = MAX_DIAGNOSTIC_CHARS;
  return lines.filter(({ line }, index) => {
    remainingChars -= line.length + 1;
    return index === 0 || remainingChars >= 0;
  });
}

/** True for diagnostics, which have a file or the project that reported them. */
function hasLocation(error: ErrorResult): boolean {
  return error.file !== undefined || originOf(error).project !== undefined;
}

/** The projects and target frameworks that reported an error; several names are joined by `; `. */
interface Origin {
  readonly project?: string;
  readonly projects?: string;
  /** The number of projects, if `projects` lists only some of them. */
  readonly projectCount?: string;
  readonly frameworks?: string;
}

const originOf = ({ data }: ErrorResult): Origin => data?.additionalData ?? {};

/** Returns the project of the first error if the others have none, because it then stands for all of them. */
function commonOrigin([first, ...more]: readonly ErrorResult[]): Origin {
  const { project } = originOf(first!);
  const isShared = project !== undefined && more.every((error) => originOf(error).project === undefined);
  return isShared ? { project } : {};
}

function diagnosticLine(error: ErrorResult, common: Origin): string {
  const location = error.line === undefined ? '' : `(${error.line},${error.column ?? 1})`;
  const origin = error.file === undefined ? '' : `${error.file}${location}: `;
  // An error without a file, such as failed tests, can belong to another project.
  const shared = error.file === undefined ? {} : common;
  return `${origin}error ${error.code}: ${error.message}${projectSuffix(error, { ...shared, ...originOf(error) })}`;
}

/** Returns ` [/src/App/App.csproj (net8.0)]`, without the project if the error is in the project file itself. */
function projectSuffix({ file }: ErrorResult, { project, projects, projectCount, frameworks }: Origin): string {
  const names = projects?.split('; ') ?? (project === undefined || project === file ? [] : [project]);
  const framework = frameworks === undefined ? '' : `(${frameworks.replaceAll('; ', ', ')})`;
  const suffix = [projectNames(names, Number(projectCount ?? names.length)), framework].filter(Boolean).join(' ');
  return suffix === '' ? '' : ` [${suffix}]`;
}

const MAX_PROJECT_PATHS = 2;
const MAX_PROJECT_NAMES = 3;

/** Returns up to two paths, or `in 7 projects: A.csproj, B.csproj, C.csproj, …`. */
function projectNames(paths: readonly string[], count: number): string {
  if (count <= MAX_PROJECT_PATHS) return paths.join(', ');
  const names = paths.slice(0, MAX_PROJECT_NAMES).map((path) => path.split(/[\\/]/).at(-1));
  return `in ${count} projects: ${names.join(', ')}${count > names.length ? ', …' : ''}`;
}

function explainingWarnings(errors: readonly ErrorResult[]): string[] {
  return errors.flatMap(({ data }) => data?.additionalData?.warnings ?? []);
}

const descriptionOf = ({ recommendedAction: action }: ErrorResult): string | undefined =>
  typeof action === 'object' ? action.description : action;

/** Returns the line with the recommended action, unless the hint is the same text. */
function nextLine({ hint, recommendedAction }: ErrorResult): string[] {
  if (recommendedAction === undefined) return [];
  const text = actionText(recommendedAction);
  return text === hint ? [] : [`Next: ${text}`];
}

function actionText(action: RecommendedAction | string): string {
  if (typeof action === 'string') return action;
  const details = actionDetails(action);
  return details === undefined ? action.description : `${action.description} ${details}`;
}

function actionDetails(action: RecommendedAction): string | undefined {
  switch (action.actionKind) {
    case 'CallTool':
      return `${action.toolName} ${JSON.stringify(action.arguments)}`;
    case 'RunCommand':
      return action.command;
    case 'OpenUrl':
      return action.url;
    case 'SetEnvironmentVariable':
      return `${action.variable}=${action.value}`;
    default:
      return undefined;
  }
}

/**
 * Returns the end of the raw outputs, without outputs and lines that the text already contains. A longer text is only
 * compared in part, so that one call does not hold up the others.
 */
function lastRawOutput(errors: readonly ErrorResult[], textLines: readonly string[]): string {
  const text = textLines.join('\n').slice(0, MAX_COMPARED_CHARS);
  // Compare without line breaks, because some commands wrap their output at 80 columns.
  const singleLine = ` ${inOneLine(text)} `;
  const raw = errors
    .map(({ rawOutput }) => rawOutput.slice(-MAX_COMPARED_CHARS))
    .filter((output) => !singleLine.includes(` ${inOneLine(output)} `));
  if (raw.length === 0) return '';
  const lines = new Set(
    text.split(/\r?\n/).flatMap((line) => [line.trim(), stripDiagnosticPrefix(line.replace(/^Error: /, ''))]),
  );
  const remainingLines = raw
    .join('\n')
    .split(/\r?\n/)
    .filter((line) => line.trim() === '' || !lines.has(stripDiagnosticPrefix(line)));
  return lastChars(remainingLines.join('\n').trim(), MAX_RAW_CHARS);
}

const inOneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

/**
 * Removes the origin, the code and the project from a diagnostic in raw output: the error's text formats them
 * differently.
 */
function stripDiagnosticPrefix(line: string): string {
  const message = line.replace(/ \[[^\]]*\]\s*$/, '').trim();
  return /(?:^|: )(?:error|warning)(?: [A-Za-z][\w-]*)?\s?:\s+(.+)$/.exec(message)?.[1] ?? message;
}
