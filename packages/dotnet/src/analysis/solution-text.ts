import { basename } from 'node:path';
import type { SolutionIssue } from './solution-issue.js';
import type { ReportedProject, SolutionReport } from './solution-report.js';

/** The lines of Analyze: each project, then the sums. */
export function describeAnalysis(report: SolutionReport): string[] {
  const { solution, projects, packageCount } = report;
  const typeOf = ({ isTestProject, outputType = 'Library' }: ReportedProject) => (isTestProject ? 'Test' : outputType);
  return [
    `Solution: ${basename(solution)}`,
    '',
    ...projects.flatMap((project) => [
      `${project.name} (${typeOf(project)})`,
      `  Path: ${project.path}`,
      `  Frameworks: ${project.targetFrameworks.join(', ') || 'none'}`,
      `  Packages: ${project.packageCount}, project references: ${project.projectReferenceCount}`,
    ]),
    ...issueLines(report),
    '',
    `Projects: ${projects.length} (${counts(projects.map(typeOf))})`,
    `Frameworks: ${counts(projects.flatMap(({ targetFrameworks }) => targetFrameworks))}`,
    `Packages: ${packageCount}`,
  ];
}

/** The lines of Dependencies: references between projects, then the packages that several projects use. */
export function describeDependencies(report: SolutionReport): string[] {
  const { solution, references, sharedPackages } = report;
  return [
    `Solution: ${basename(solution)}`,
    '',
    'Project references:',
    ...orNone(references.map(({ from, to }) => `  ${from} -> ${to}`)),
    '',
    'Packages used by more than one project:',
    ...orNone(
      sharedPackages.flatMap(({ name, versions }) =>
        versions.map(({ version, projects }) => `  ${name} ${version || '(no version)'}: ${projects.join(', ')}`),
      ),
    ),
    ...issueLines(report),
  ];
}

/** The lines of Validate: how many projects have issues, then these by severity. */
export function describeValidation(report: SolutionReport): string[] {
  const { solution, projects, issues } = report;
  const grave = issues.filter(({ severity }) => severity !== 'recommendation');
  const concerned = new Set(grave.flatMap((issue) => issue.projects)).size;
  return [
    `Solution: ${basename(solution)}`,
    `Projects analysed: ${projects.length}, with issues: ${concerned}`,
    ...(grave.length === 0 ? ['', 'The solution is healthy.'] : []),
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

/** `Exe: 1, Library: 2`. */
function counts(values: readonly string[]): string {
  const sums = new Map<string, number>();
  for (const value of values) sums.set(value, (sums.get(value) ?? 0) + 1);
  return [...sums].map(([value, count]) => `${value}: ${count}`).join(', ') || 'none';
}
