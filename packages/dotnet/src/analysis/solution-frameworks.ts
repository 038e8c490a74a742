import type { ProjectEvaluation } from '../msbuild/evaluate.js';
import { projectReferencesOf } from '../nuget/package-references.js';
import { projectName } from '../project-files/find-project.js';
import { describeFramework, type Framework } from '../project-files/frameworks.js';
import { targetFrameworksOf } from './analyze.js';
import type { SolutionIssue } from './solution-issue.js';

/**
 * References between projects with incompatible frameworks (NU1201, found before a restore reports it), and a warning if the
 * projects are built for different versions of .NET.
 */
export function frameworkIssues(evaluations: readonly ProjectEvaluation[]): SolutionIssue[] {
  const byPath = new Map(evaluations.map((evaluation) => [evaluation.project, evaluation]));
  const mismatches = evaluations.flatMap((from) =>
    projectReferencesOf(from).flatMap(({ path, frameworks = targetFrameworksOf(from) }) => {
      const to = byPath.get(path);
      return to ? frameworks.filter((tfm) => !isServed(tfm, to)).map((tfm) => mismatch(from, tfm, to)) : [];
    }),
  );
  return [...mismatches, ...differentVersions(evaluations)];
}

function isServed(tfm: string, to: ProjectEvaluation): boolean {
  const from = describeFramework(tfm);
  const available = targetFrameworksOf(to).map(describeFramework);
  return !from || available.length === 0 || available.some((one) => !one || isCompatible(from, one));
}

function mismatch(from: ProjectEvaluation, tfm: string, to: ProjectEvaluation): SolutionIssue {
  const [user, used] = [from, to].map(({ project }) => projectName(project));
  const available = targetFrameworksOf(to).join(', ');
  return {
    severity: 'error',
    projects: [user!, used!],
    code: 'NU1201',
    message: `${user} (${tfm}) references ${used}, which is built for ${available} only.`,
  };
}

function differentVersions(evaluations: readonly ProjectEvaluation[]): SolutionIssue[] {
  const users = new Map<string, string[]>();
  for (const evaluation of evaluations) {
    const modern = targetFrameworksOf(evaluation)
      .map(describeFramework)
      .filter((one) => one?.isModernNet);
    const highest = modern.sort((a, b) => Number(b!.version) - Number(a!.version))[0];
    if (!highest) continue;
    const name = projectName(evaluation.project);
    users.set(highest.version, [...(users.get(highest.version) ?? []), name]);
  }
  if (users.size < 2) return [];
  const versions = [...users].sort(([a], [b]) => Number(b) - Number(a));
  const text = versions.map(([version, projects]) => `net${version} (${projects.join(', ')})`).join(', ');
  return [
    {
      severity: 'warning',
      projects: versions.flatMap(([, projects]) => projects),
      message: `The projects target different versions of .NET: ${text}.`,
    },
  ];
}

/** Whether a project for `from` can use one that is built for `to`, by NuGet's rules without fallbacks. */
export function isCompatible(from: Framework, to: Framework): boolean {
  if (to.isNetStandard) return Number(to.version) <= netStandardOf(from);
  if (from.isNetFramework || to.isNetFramework || from.isNetStandard) {
    return from.isNetFramework && to.isNetFramework && comparable(to.version) <= comparable(from.version);
  }
  const isPlatformServed = to.platform === undefined || to.platform === from.platform;
  return isPlatformServed && Number(to.version) <= Number(from.version);
}

/** The highest .NET Standard that a framework implements. */
function netStandardOf(framework: Framework): number {
  const { version } = framework;
  if (framework.isNetStandard) return Number(version);
  if (framework.isModernNet) return 2.1;
  if (framework.isNetCore) return Number(version) >= 3 ? 2.1 : Number(version) >= 2 ? 2 : 1.6;
  return NET_FRAMEWORK_STANDARD.find(([lowest]) => comparable(version) >= comparable(lowest))?.[1] ?? 0;
}

const NET_FRAMEWORK_STANDARD: readonly (readonly [string, number])[] = [
  ['4.6.1', 2],
  ['4.6', 1.3],
  ['4.5.1', 1.2],
  ['4.5', 1.1],
];

/** `4.7.2` as 472 and `4.8` as 480. */
function comparable(version: string): number {
  return Number(version.replaceAll('.', '').padEnd(3, '0'));
}
