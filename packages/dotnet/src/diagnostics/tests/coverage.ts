import { isAbsolute, join } from 'node:path';
import { parseXml } from '../../xml/parse-xml.js';
import type { XmlElement } from '../../xml/xml.js';

/** The coverage of lines or branches. `percent` has one decimal and is absent if `total` is 0. */
export interface Covered {
  readonly covered: number;
  readonly total: number;
  readonly percent?: number;
}

export interface FileCoverage {
  /** The path in the report, in the source folder of the report if it has exactly one. */
  readonly file: string;
  readonly lines: Covered;
  readonly branches?: Covered;
}

export interface Coverage {
  readonly lines: Covered;
  readonly branches: Covered;
  /** The files with the lowest coverage, the lowest first. */
  readonly files: readonly FileCoverage[];
  readonly omittedFiles?: number;
}

/** A line of code, with the highest values in any report. */
interface Line {
  hits: number;
  coveredBranches: number;
  branches: number;
}

const MAX_FILES = 20;

/** Reads the coverage of a run from its Cobertura reports, one per test project; undefined without valid reports. */
export function parseCoverage(texts: readonly string[]): Coverage | undefined {
  const linesByFile = new Map<string, Map<string, Line>>();
  const reports = texts.flatMap(rootOf);
  if (reports.length === 0) return undefined;
  for (const report of reports) addReport(report, linesByFile);
  const files = [...linesByFile].map(([file, lines]) => fileCoverage(file, [...lines.values()]));
  files.sort((a, b) => percentOf(a) - percentOf(b) || b.lines.total - a.lines.total);
  const allLines = [...linesByFile.values()].flatMap((lines) => [...lines.values()]);
  const listed = files.slice(0, MAX_FILES);
  return {
    lines: linesOf(allLines),
    branches: branchesOf(allLines),
    files: listed,
    ...(files.length > listed.length && { omittedFiles: files.length - listed.length }),
  };
}

/** Returns `Coverage: 75% of lines (3/4), 50% of branches (1/2)`, then a line for each file with low coverage. */
export function coverageLines({ lines, branches, files, omittedFiles = 0 }: Coverage): string[] {
  if (lines.total === 0) return ['Coverage: the report has no lines of code'];
  const part = ({ covered, total, percent }: Covered, what: string) => `${percent}% of ${what} (${covered}/${total})`;
  const parts = [part(lines, 'lines'), ...(branches.total > 0 ? [part(branches, 'branches')] : [])];
  const more = omittedFiles > 0 ? [`  … and ${omittedFiles} more files`] : [];
  return [
    `Coverage: ${parts.join(', ')}`,
    ...files.map((file) => `  ${file.file}: ${part(file.lines, 'lines')}`),
    ...more,
  ];
}

/** Returns the root of a Cobertura report; empty for another format or a truncated report. */
function rootOf(text: string): XmlElement[] {
  try {
    const root = parseXml(text);
    return root.name === 'coverage' && root.elements.some(({ name }) => name === 'packages') ? [root] : [];
  } catch {
    return [];
  }
}

function addReport(report: XmlElement, linesByFile: Map<string, Map<string, Line>>): void {
  const sources = descend(report, ['sources', 'source']).map(({ text }) => text.trim());
  for (const item of descend(report, ['packages', 'package', 'classes', 'class'])) {
    const name = attribute(item, 'filename') ?? '';
    const source = sources.length === 1 ? sources[0]! : '';
    const file = isAbsolute(name) || source === '' ? name : join(source, name);
    const lines = linesByFile.get(file) ?? new Map<string, Line>();
    linesByFile.set(file, lines);
    for (const line of descend(item, ['lines', 'line'])) addLine(line, lines);
  }
}

function addLine(element: XmlElement, lines: Map<string, Line>): void {
  const number = attribute(element, 'number') ?? '';
  const existing = lines.get(number) ?? { hits: 0, coveredBranches: 0, branches: 0 };
  const [, covered = '0', total = '0'] = /\((\d+)\/(\d+)\)/.exec(attribute(element, 'condition-coverage') ?? '') ?? [];
  lines.set(number, {
    hits: Math.max(existing.hits, Number(attribute(element, 'hits') ?? 0)),
    coveredBranches: Math.max(existing.coveredBranches, Number(covered)),
    branches: Math.max(existing.branches, Number(total)),
  });
}

function fileCoverage(file: string, lines: readonly Line[]): FileCoverage {
  const branches = branchesOf(lines);
  return { file, lines: linesOf(lines), ...(branches.total > 0 && { branches }) };
}

const linesOf = (lines: readonly Line[]) => covered(lines.filter(({ hits }) => hits > 0).length, lines.length);

function branchesOf(lines: readonly Line[]): Covered {
  const sum = (count: (line: Line) => number) => lines.reduce((total, line) => total + count(line), 0);
  return covered(
    sum(({ coveredBranches }) => coveredBranches),
    sum(({ branches }) => branches),
  );
}

function covered(count: number, total: number): Covered {
  return { covered: count, total, ...(total > 0 && { percent: Math.floor((count / total) * 1000) / 10 }) };
}

const percentOf = ({ lines }: FileCoverage): number => lines.percent ?? 100;

/** Returns the elements at a path of element names below `from`. */
function descend(from: XmlElement, names: readonly string[]): XmlElement[] {
  return names.reduce<XmlElement[]>(
    (found, name) => found.flatMap(({ elements }) => elements.filter((element) => element.name === name)),
    [from],
  );
}

function attribute({ attributes }: XmlElement, name: string): string | undefined {
  return attributes.find((item) => item.name === name)?.value;
}
