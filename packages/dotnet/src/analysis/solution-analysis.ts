import { basename, relative } from 'node:path';
import { groupBy } from './group-by.js';
import type { ReportedProject } from './reported-project.js';
import type { SolutionIssue } from './solution-issues.js';
import { reportSolution, type SolutionReport, type SolutionSource } from './solution-report.js';

export interface SolutionAnswer {
  /** Dependencies leaves out `issues` and `recommendedAction`. */
  readonly data: Omit<SolutionReport, 'issues'> & Partial<Pick<SolutionReport, 'issues'>>;
  readonly text: string[];
}

type Ask = (source: SolutionSource, solution: string) => Promise<SolutionAnswer>;

const reportWith =
  (describe: (report: SolutionReport, folder: string) => string[]): Ask =>
  async (source, solution) => {
    const data = await reportSolution(source, solution);
    return {
      data,
      text: [...describe(data, source.cwd), ...(data.note === undefined ? [] : ['', `Note: ${data.note}`])],
    };
  };

/** Lists the projects with their frameworks, packages and references. Throws the errors of {@link reportSolution}. */
export const analyzeSolution: Ask = reportWith(describeAnalysis);

/** Lists the references between projects, and the packages of each project. Throws the errors of {@link reportSolution}. */
export const solutionDependencies: Ask = async (source, solution) => {
  const { data, text } = await reportWith(describeDependencies)(source, solution);
  const { issues: _, recommendedAction: __, ...dependencies } = data;
  return { data: dependencies, text };
};

/** Lists errors, warnings and recommendations. Throws the errors of {@link reportSolution}. */
export const validateSolution: Ask = reportWith(describeValidation);

function describeAnalysis(report: SolutionReport, folder: string): string[] {
  const { solution, projects, packageCount } = report;
  const typeOf = ({ isTestProject, outputType = 'Library' }: ReportedProject) => (isTestProject ? 'Test' : outputType);
  return [
    `Solution: ${basename(solution)}`,
    '',
    ...projects.flatMap((project) => [
      `${project.name} (${[typeOf(project), ...project.targetFrameworks].join(', ')}): ${shown(project.path, folder)}`,
      ...named('Packages', (project.packages ?? []).map(packageText)),
      ...named('References', referencesOf(project, report, folder)),
    ]),
    ...issueLines(report),
    '',
    `Projects: ${projects.length} (${counts(projects.map(typeOf))})`,
    `Frameworks: ${counts(projects.flatMap(({ targetFrameworks }) => targetFrameworks))}`,
    `Packages: ${packageCount}`,
  ];
}

const packageText = ({ name, version }: { readonly name: string; readonly version?: string }) =>
  version === undefined ? name : `${name} ${version}`;

function named(title: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`  ${title}: ${names.join(', ')}`];
}

/** Returns the names of the referenced projects. `references` names projects by path if several have the same name. */
function referencesOf({ name, path }: ReportedProject, { references }: SolutionReport, folder: string): string[] {
  const names = [name, shown(path, folder)];
  return references.filter(({ from }) => names.includes(from)).map(({ to }) => to);
}

function shown(path: string, folder: string): string {
  return relative(folder, path).replaceAll('\\', '/') || path;
}

function describeDependencies({ solution, projects, references, isValid }: SolutionReport): string[] {
  const uses = projects.flatMap(({ name, packages = [] }) =>
    packages.map((reference) => ({ user: name, text: packageText(reference) })),
  );
  const packages = groupBy(uses, ({ text }) => text.toLowerCase()).values();
  const lines = [...packages].map((users) => `  ${users[0]!.text}: ${users.map(({ user }) => user).join(', ')}`);
  return [
    `Solution: ${basename(solution)}`,
    '',
    'Project references:',
    ...orNone(references.map(({ from, to }) => `  ${from} -> ${to}`)),
    '',
    'Packages:',
    ...orNone(lines.sort((a, b) => a.localeCompare(b, 'en'))),
    ...(isValid ? [] : ['', 'The solution has errors, which Validate lists.']),
  ];
}

export function describeValidation(report: SolutionReport): string[] {
  const { solution, projects, issues } = report;
  const problems = issues.filter(({ severity }) => severity !== 'recommendation');
  const affectedCount = new Set(problems.flatMap((issue) => issue.projects)).size;
  return [
    `Solution: ${basename(solution)}`,
    `Projects analysed: ${projects.length}, with issues: ${affectedCount}`,
    ...(problems.length === 0 ? ['', 'The solution is healthy.'] : []),
    ...issueLines(report),
  ];
}

function section(
  title: string,
  issues: readonly SolutionIssue[],
  severity: SolutionIssue['severity'],
  projectCount: number,
): string[] {
  const lines = issues.filter((issue) => issue.severity === severity).map((issue) => issueLine(issue, projectCount));
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines];
}

function issueLines({ issues, projects }: SolutionReport): string[] {
  const lines = (title: string, severity: SolutionIssue['severity']) =>
    section(title, issues, severity, projects.length);
  return [...lines('Errors', 'error'), ...lines('Warnings', 'warning'), ...lines('Recommendations', 'recommendation')];
}

const FEW_PROJECTS = 3;

function issueLine({ projects, code, message }: SolutionIssue, projectCount: number): string {
  const isAboutAll = projects.length === projectCount && projectCount > FEW_PROJECTS;
  const about = isAboutAll ? `All ${projectCount} projects` : projects.join(', ') || 'The solution';
  return `  ${about}: ${code ? `${code}: ` : ''}${message}`;
}

function orNone(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? ['  none'] : lines;
}

/** Counts equal values, such as `Exe: 1, Library: 2`; `none` for no values. */
function counts(values: readonly string[]): string {
  const sums = new Map<string, number>();
  for (const value of values) sums.set(value, (sums.get(value) ?? 0) + 1);
  return [...sums].map(([value, count]) => `${value}: ${count}`).join(', ') || 'none';
}
