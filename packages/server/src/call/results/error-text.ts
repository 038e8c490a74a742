import type { ErrorResponse, ErrorResult, FullOutput, RecommendedAction } from '@mortise/plugin';
import { groupByMessage, otherPlaces } from './error-places.js';
import { lastChars } from './truncate.js';

const MAX_DIAGNOSTICS = 20;
const MAX_DIAGNOSTIC_CHARS = 4500;
const MAX_FIXES = 3;
/** Limit of the raw output in the text of an error (docs/spec/contract.md#error-text). */
const MAX_RAW_CHARS = 2000;

/** What an error's text says beyond its ErrorResponse. */
export interface ErrorTextDetails {
  /** The first line where the errors have places: `Build failed: 2 errors`. */
  readonly summary: string | undefined;
  /** The summary in the data of the result, with which its text begins too: `Test run failed.` */
  readonly beginning?: string | undefined;
  /** Errors that `errors[]` does not list. */
  readonly omittedErrors?: number;
  /** The tool runs commands: an exit code of −1 says that none ended. */
  readonly runsCommands?: boolean;
  /** The id of the call, which is in the metadata, is in the text too. */
  readonly showsCallId?: boolean;
}

/** The text of an error that carries its facts, line by line (docs/spec/contract.md#error-text). */
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

/** A tool that runs no command has none: −1 would say nothing there. */
const hasExitCode = ({ exitCode, errors }: ErrorResponse, { runsCommands = false }: ErrorTextDetails): boolean =>
  runsCommands || exitCode !== NO_EXIT_CODE || errors.some(({ data }) => data?.command !== undefined);

const NO_EXIT_CODE = -1;

/** Where the whole output of a command can be read. */
export function fullOutputLine({ uri, chars }: FullOutput): string {
  return `Full output: ${uri} (${chars} characters)`;
}

/** The lines that say what the error's own words do not: hint, fixes, documentation, next action. */
export function hintLines(error: ErrorResult): string[] {
  const fixes = error.suggestedFixes?.length ? error.suggestedFixes : (error.alternatives ?? []);
  const hint = remainingHint(error);
  const next = nextLine(error);
  // A hint that the next action repeats is said once, in the first place.
  const isRepeated = next.length > 0 && hint !== undefined && hint === descriptionOf(error);
  return [
    ...(isRepeated ? next : hint ? [`Hint: ${hint}`] : []),
    ...fixes.slice(0, MAX_FIXES).map((fix) => `Fix: ${fix}`),
    ...(error.documentationUrl ? [`Docs: ${error.documentationUrl}`] : []),
    ...(isRepeated ? [] : next),
  ];
}

/** The hint without the list that the message has already, as for an invalid action. */
function remainingHint({ hint, message }: ErrorResult): string | undefined {
  if (!hint?.startsWith(ACTIONS)) return hint;
  const end = hint.indexOf(SUGGESTIONS);
  const list = hint.slice(ACTIONS.length, end < 0 ? undefined : end);
  if (!message.endsWith(list)) return hint;
  return end < 0 ? undefined : hint.slice(end + '. '.length);
}

const ACTIONS = 'Valid actions are: ';
const SUGGESTIONS = '. Did you mean ';

function errorLines({ errors }: ErrorResponse, { summary, beginning, omittedErrors = 0 }: ErrorTextDetails): string[] {
  const first = errors[0]!;
  const isSummarised = summary !== undefined && summary !== '' && errors.some(hasLocation);
  const details = isSummarised ? summary : beginningWith(beginning, first.message);
  // The first line says it already, but for its place in a file.
  const isFirstLineOfText = (error: ErrorResult) =>
    error === first && (!hasLocation(error) || isFirstLine(error, details));
  const listed = errors.filter((error) => !isFirstLineOfText(error));
  const common = commonOrigin(errors);
  const groups = groupByMessage(listed);
  const shown = firstLines(
    groups.slice(0, MAX_DIAGNOSTICS).map((group) => ({
      line: diagnosticLine(group.error, common) + otherPlaces(group),
      count: 1 + group.others.length,
    })),
  );
  const lines = shown.map(({ line }) => line);
  const more = listed.length - shown.reduce((sum, { count }) => sum + count, 0) + omittedErrors;
  return [
    `Error: ${details.replace(ERROR_PREFIX, '')}`,
    `Code: ${first.code}`,
    ...lines,
    ...explainingWarnings(errors),
    ...(more > 0 ? [`… and ${more} more error${more === 1 ? '' : 's'}`] : []),
    ...hintLines(first),
  ];
}

function beginningWith(beginning: string | undefined, message: string): string {
  if (beginning === undefined || message.startsWith(beginning)) return message;
  return `${beginning}${beginning.endsWith('.') ? '' : '.'} ${message}`;
}

/** Whether the first line of the text states an error that has no file. */
const isFirstLine = ({ file, message }: ErrorResult, details: string): boolean =>
  file === undefined && details.endsWith(message);

/** Tools begin their messages so; the line says it already. */
const ERROR_PREFIX = /^(?:error:\s+)+/i;

/** As many as fit, and the first. */
function firstLines<T extends { readonly line: string }>(lines: readonly T[]): T[] {
  let room = MAX_DIAGNOSTIC_CHARS;
  return lines.filter(({ line }, index) => {
    room -= line.length + 1;
    return index === 0 || room >= 0;
  });
}

/** Whether an error is a diagnostic: it has a file, or the project that reported it. */
function hasLocation(error: ErrorResult): boolean {
  return error.file !== undefined || originOf(error).project !== undefined;
}

/** What an error says of where it was reported; several names are joined by `; `. */
interface Origin {
  readonly project?: string;
  readonly projects?: string;
  /** How many there are, where `projects` lists only some. */
  readonly projectCount?: string;
  readonly frameworks?: string;
}

const originOf = ({ data }: ErrorResult): Origin => data?.additionalData ?? {};

/** Where many errors share a project, only the first names it, so that more of them fit. */
function commonOrigin([first, ...more]: readonly ErrorResult[]): Origin {
  const { project } = originOf(first!);
  const isShared = project !== undefined && more.every((error) => originOf(error).project === undefined);
  return isShared ? { project } : {};
}

function diagnosticLine(error: ErrorResult, common: Origin): string {
  const location = error.line === undefined ? '' : `(${error.line},${error.column ?? 1})`;
  const origin = error.file === undefined ? '' : `${error.file}${location}: `;
  // Only diagnostics share it: the failed tests of another project are an error without a place.
  const shared = error.file === undefined ? {} : common;
  return `${origin}error ${error.code}: ${error.message}${projectSuffix(error, { ...shared, ...originOf(error) })}`;
}

/** ` [/src/App/App.csproj (net8.0)]`; without the project where the error is in that file. */
function projectSuffix({ file }: ErrorResult, { project, projects, projectCount, frameworks }: Origin): string {
  const names = projects?.split('; ') ?? (project === undefined || project === file ? [] : [project]);
  const framework = frameworks === undefined ? '' : `(${frameworks.replaceAll('; ', ', ')})`;
  const suffix = [projectNames(names, Number(projectCount ?? names.length)), framework].filter(Boolean).join(' ');
  return suffix === '' ? '' : ` [${suffix}]`;
}

const MAX_PROJECT_PATHS = 2;
const MAX_PROJECT_NAMES = 3;

/** Two projects with their paths, `in 7 projects: A.csproj, B.csproj, C.csproj, …` where there are more. */
function projectNames(paths: readonly string[], count: number): string {
  if (count <= MAX_PROJECT_PATHS) return paths.join(', ');
  const names = paths.slice(0, MAX_PROJECT_NAMES).map((path) => path.split(/[\\/]/).at(-1));
  return `in ${count} projects: ${names.join(', ')}${count > names.length ? ', …' : ''}`;
}

/** Warnings that explain the errors, as the tool gave them with an error. */
function explainingWarnings(errors: readonly ErrorResult[]): string[] {
  return errors.flatMap(({ data }) => data?.additionalData?.warnings ?? []);
}

const descriptionOf = ({ recommendedAction: action }: ErrorResult): string | undefined =>
  typeof action === 'object' ? action.description : action;

/** Nothing where the hint says the same already. */
function nextLine({ hint, recommendedAction }: ErrorResult): string[] {
  if (recommendedAction === undefined) return [];
  const text = actionText(recommendedAction);
  return text === hint ? [] : [`Next: ${text}`];
}

/** What is to be done, and with what. */
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

/** The end of the raw outputs, without the lines that the text says already. */
function lastRawOutput(errors: readonly ErrorResult[], textLines: readonly string[]): string {
  // Some commands break their lines at 80 columns.
  const whole = ` ${inOneLine(textLines.join('\n'))} `;
  const raw = errors.map((error) => error.rawOutput).filter((output) => !whole.includes(` ${inOneLine(output)} `));
  if (raw.length === 0) return '';
  const lines = new Set(
    textLines
      .join('\n')
      .split(/\r?\n/)
      .flatMap((line) => [line.trim(), stripDiagnosticPrefix(line.replace(/^Error: /, ''))]),
  );
  const remainingLines = raw
    .join('\n')
    .split(/\r?\n/)
    .filter((line) => line.trim() === '' || !lines.has(stripDiagnosticPrefix(line)));
  return lastChars(remainingLines.join('\n').trim(), MAX_RAW_CHARS);
}

/** Its words with one blank between them; '' becomes a blank that every text holds. */
const inOneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** A line of a log without what the text writes otherwise: the origin and code of a diagnostic, and its project. */
function stripDiagnosticPrefix(line: string): string {
  const message = line.replace(/ \[[^\]]*\]\s*$/, '').trim();
  return /(?:^|: )(?:error|warning)(?: [A-Za-z][\w-]*)?\s?:\s+(.+)$/.exec(message)?.[1] ?? message;
}
