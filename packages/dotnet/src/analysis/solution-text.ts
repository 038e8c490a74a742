import { basename } from 'node:path';
import type { SolutionIssue } from './solution-issue.js';
import type { ReportedProject, SolutionReport } from './solution-report.js';

/** The lines of Analyze: each project, then the sums. */
export function describeAnalysis({ solution, projects, packageCount, issues }: SolutionReport): string[] {
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
    ...issueLines(issues),
    '',
    `Projects: ${projects.length} (${counts(projects.map(typeOf))})`,
    `Frameworks: ${counts(projects.flatMap(({ targetFrameworks }) => targetFrameworks))}`,
    `Packages: ${packageCount}`,
  ];
}

/** The lines of Dependencies: references between projects, then the packages that several projects use. */
export function describeDependencies({ solution, references, sharedPackages, issues }: SolutionReport): string[] {
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
    ...issueLines(issues),
  ];
}

/** The lines of Validate: how many projects have issues, then these by severity. */
export function describeValidation({ solution, projects, issues }: SolutionReport): string[] {
  const grave = issues.filter(({ severity }) => severity !== 'recommendation');
  const concerned = new Set(grave.flatMap((issue) => issue.projects)).size;
  return [
    `Solution: ${basename(solution)}`,
    `Projects analysed: ${projects.length}, with issues: ${concerned}`,
    ...(grave.length === 0 ? ['', 'The solution is healthy.'] : []),
    ...issueLines(issues),
  ];
}

function section(title: string, issues: readonly SolutionIssue[], severity: SolutionIssue['severity']): string[] {
  const lines = issues.filter((issue) => issue.severity === severity).map(issueLine);
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines];
}

function issueLines(issues: readonly SolutionIssue[]): string[] {
  return [
    ...section('Errors', issues, 'error'),
    ...section('Warnings', issues, 'warning'),
    ...section('Recommendations', issues, 'recommendation'),
  ];
}

function issueLine({ projects, code, message }: SolutionIssue): string {
  const about = projects.length > 0 ? projects.join(', ') : 'The solution';
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
