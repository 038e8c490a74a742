import { relative } from 'node:path';
import { groupBy } from '../../analysis/group-by.js';
import { relativePath } from '../../project-files/relative-path.js';
import type {
  AnswerOfSymbol,
  CodeAnswer,
  CodeChange,
  CodeDiagnostic,
  CodeFix,
  CodePlace,
  CodeSymbol,
} from './answer.js';

/** Returns the text of an answer: compact lines with paths relative to the call's folder. */
export function answerText(action: string, answer: CodeAnswer, cwd: string): string {
  const { answers } = answer;
  if (answers) return [...answers.map((one) => textOfSymbol(action, one, cwd)), ...(answer.notes ?? [])].join('\n\n');
  const { symbol, symbols = [], places = [], diagnostics = [], fixes = [], documentation, source } = answer;
  const lines = [
    ...(symbol ? [symbolLine(symbol, cwd)] : []),
    ...(documentation === undefined ? [] : [documentation]),
    ...(source === undefined ? [] : [source]),
    ...(action === 'Diagnostics' ? [] : summary(action, answer)),
    ...(action === 'Outline' ? outlineLines(symbols, cwd) : symbols.map((one) => symbolLine(one, cwd))),
    ...placeLines(places, cwd),
    ...fixes.flatMap((fix) => fixLines(fix, cwd)),
    ...(action === 'Diagnostics' ? diagnosticLines(answer, diagnostics, cwd) : []),
    ...(answer.nextCursor === undefined ? [] : [`More: call again with cursor ${answer.nextCursor}`]),
    ...(answer.notes ?? []),
  ];
  return lines.join('\n');
}

function textOfSymbol(action: string, { asked, problem, nextCursor, ...answer }: AnswerOfSymbol, cwd: string): string {
  if (problem !== undefined) return `${asked}: ${problem}`;
  const more = nextCursor === undefined ? [] : [`More: call again with symbol ${asked} and cursor ${nextCursor}`];
  return [`# ${asked}`, answerText(action, answer, cwd), ...more].join('\n');
}

/** What the entries of a list are, if the action has another name. */
const ENTRIES: Readonly<Record<string, string>> = { Outline: 'Declarations', Hierarchy: 'Bases and derived types' };

/** Returns for example `References: 7 (Core 4, App 3)`; nothing for an answer without a list. */
function summary(action: string, { total, counts = {}, symbols }: CodeAnswer): string[] {
  if (total === undefined) return [];
  const entries = action === 'References' && symbols ? 'Symbols' : (ENTRIES[action] ?? action);
  const byProject = Object.entries(counts).map(([project, count]) => `${project} ${count}`);
  return [`${entries}: ${total}${byProject.length > 1 ? ` (${byProject.join(', ')})` : ''}`];
}

function placeOf({ path, line }: { readonly path?: string; readonly line?: number }, cwd: string): string {
  return path === undefined ? '' : `${relative(cwd, path).replaceAll('\\', '/') || path}:${line}`;
}

function symbolLine(symbol: CodeSymbol, cwd: string): string {
  const place = symbol.path === undefined ? `[${symbol.assembly}]` : placeOf(symbol, cwd);
  const relation = symbol.relation === undefined ? '' : `${symbol.relation}: `;
  const { referenceCount } = symbol;
  const uses = referenceCount === undefined ? '' : `${counted(referenceCount, 'reference')}: `;
  return `${place} ${uses}${relation}${symbol.signature}  ${symbol.name}${symbol.isGenerated ? ' (generated)' : ''}`;
}

/** Outlines of one file are lines without paths; of several, each file comes once before its lines. */
function outlineLines(symbols: readonly CodeSymbol[], cwd: string): string[] {
  const files = groupBy(symbols, ({ path }) => path);
  if (files.size === 1) return symbols.map((one) => outlineLine(one, cwd));
  return [...files].flatMap(([path, inFile]) => [
    ...(path === undefined ? [] : [relativePath(cwd, path)]),
    ...inFile.map((one) => `  ${outlineLine(one, cwd)}`),
  ]);
}

const outlineLine = (symbol: CodeSymbol, cwd: string): string =>
  symbol.line === undefined ? symbolLine(symbol, cwd) : `${symbol.line}-${symbol.endLine} ${symbol.signature}`;

/** Returns the file once, then its places. */
function placeLines(places: readonly CodePlace[], cwd: string): string[] {
  return [...groupBy(places, ({ path }) => path)].flatMap(([path, inFile]) => [
    `${relative(cwd, path).replaceAll('\\', '/') || path}${marksOf(inFile[0]!)}`,
    ...inFile.map(placeLine),
  ]);
}

function marksOf({ isGenerated, otherProjects = [] }: CodePlace): string {
  const linked = otherProjects.length > 0 ? ` (linked in ${otherProjects.join(', ')})` : '';
  return `${isGenerated ? ' (generated)' : ''}${linked}`;
}

function placeLine({ line, kind, text, member, usedMember, frameworks, depth }: CodePlace): string {
  const used = usedMember === undefined ? '' : ` of ${usedMember}`;
  const only = frameworks ? ` (${frameworks.join(', ')})` : '';
  const level = depth === undefined || depth === 1 ? '' : `${depth}: `;
  return `  ${line} ${kind}${used}${only} ${level}${member === undefined ? '' : `in ${member}: `}${text}`;
}

function diagnosticLines(answer: CodeAnswer, diagnostics: readonly CodeDiagnostic[], cwd: string): string[] {
  const { errorCount = 0, warningCount = 0, needingGenerators = 0, withheldGenerators = [] } = answer;
  const withheld =
    needingGenerators === 0
      ? []
      : [
          `${counted(needingGenerators, 'more error')} may come from generators that did not run (${withheldGenerators.join(', ')}). Build runs them.`,
        ];
  return [
    `${counted(errorCount, 'error')}, ${counted(warningCount, 'warning')}`,
    ...diagnostics.flatMap((one) => diagnosticWithFixes(one, cwd)),
    ...withheld,
  ];
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Returns a diagnostic and, below it, the titles of the fixes that are meant for it. */
export function diagnosticWithFixes(diagnostic: CodeDiagnostic, cwd: string): string[] {
  const { fixes = [] } = diagnostic;
  const label = fixes.length === 1 ? 'Fix' : 'Choose a fix';
  return [diagnosticLine(diagnostic, cwd), ...(fixes.length === 0 ? [] : [`  ${label}: ${fixes.join(' | ')}`])];
}

/** Returns a diagnostic in one line, as a build prints it. */
export function diagnosticLine(diagnostic: CodeDiagnostic, cwd: string): string {
  const { file, line, column, severity, code, message, project, frameworks, needsGenerator } = diagnostic;
  const path = file === undefined ? project : relative(cwd, file).replaceAll('\\', '/') || file;
  const place = line === undefined ? path : `${path}(${line},${column})`;
  const only = frameworks ? ` [${frameworks.join(', ')}]` : '';
  return `${place}: ${severity} ${code}: ${message}${only}${needsGenerator ? ' (a generator did not run)' : ''}`;
}

const fixLines = ({ id, title, code, changes }: CodeFix, cwd: string): string[] => [
  `${id} ${code ?? 'refactoring'}: ${title}`,
  ...changes.map((change) => diffOf(change, cwd)),
];

/** Returns the unified diff of a file, with paths relative to the call's folder. */
export function diffOf({ path, newPath, hash, diff }: CodeChange, cwd: string): string {
  const before = hash === undefined ? '/dev/null' : `a/${relativePath(cwd, path)}`;
  return `--- ${before}\n+++ b/${relativePath(cwd, newPath ?? path)}\n${diff}`.trimEnd();
}

/** Returns a change as results have it, without the text of the file. */
export const publicChange = ({ path, newPath, diff }: CodeChange): object => ({
  path,
  ...(newPath && { newPath }),
  diff,
});
