import { itemsOf, metadataOf, type ProjectEvaluation } from '../msbuild/evaluate.js';
import { mergeFrameworks } from '../nuget/package-references.js';
import { describeFramework, type Framework } from '../project-files/frameworks.js';
import { isSameName } from '../project-files/msbuild-syntax.js';
import { targetFrameworksOf } from './analyze.js';
import type { NameOf } from './project-names.js';
import type { SolutionIssue } from './solution-issues.js';

/**
 * Finds references between projects with incompatible frameworks, which a restore would report as NU1201. If the
 * projects target several versions of .NET, a recommendation says so.
 */
export function frameworkIssues(evaluations: readonly ProjectEvaluation[], nameOf: NameOf): SolutionIssue[] {
  const byPath = new Map(evaluations.map((evaluation) => [evaluation.project, evaluation]));
  const mismatches = evaluations.flatMap((from) =>
    checkedReferencesOf(from).flatMap(({ path, code, frameworks = targetFrameworksOf(from) }) => {
      const to = byPath.get(path);
      return to
        ? frameworks.filter((tfm) => !isServed(tfm, to)).map((tfm) => mismatch({ from, tfm, to, code }, nameOf))
        : [];
    }),
  );
  return [...mismatches, ...differentVersions(evaluations, nameOf)];
}

/** True if `tfm` can reference one of the frameworks of the project `to`, or if one of these is unknown. */
function isServed(tfm: string, to: ProjectEvaluation): boolean {
  const from = describeFramework(tfm);
  const available = targetFrameworksOf(to).map(describeFramework);
  return !from || available.length === 0 || available.some((framework) => !framework || isCompatible(from, framework));
}

interface CheckedReference {
  readonly path: string;
  /** The code of the error if the frameworks are incompatible; empty for MSBuild's own error, which has no code. */
  readonly code: string;
}

/**
 * NuGet checks references to assemblies. MSBuild also checks projects that are only built first
 * (ReferenceOutputAssembly is false), unless the reference fixes the framework or skips the query for it (SDK 10).
 */
function checkedReferencesOf(evaluation: ProjectEvaluation) {
  return mergeFrameworks(evaluation, (inner) =>
    itemsOf(inner, 'ProjectReference').flatMap((item): CheckedReference[] => {
      const is = (name: string, value: string) => isSameName(metadataOf(item, name), value);
      if (!is('ReferenceOutputAssembly', 'false')) return [{ path: item.fullPath, code: 'NU1201' }];
      const isFixed = is('SkipGetTargetFrameworkProperties', 'true') || metadataOf(item, 'SetTargetFramework') !== '';
      return isFixed ? [] : [{ path: item.fullPath, code: '' }];
    }),
  );
}

interface Mismatch {
  readonly from: ProjectEvaluation;
  readonly tfm: string;
  readonly to: ProjectEvaluation;
  readonly code: string;
}

function mismatch({ from, tfm, to, code }: Mismatch, nameOf: NameOf): SolutionIssue {
  const [user, used] = [from, to].map(({ project }) => nameOf(project));
  const available = targetFrameworksOf(to).join(', ');
  return {
    severity: 'error',
    projects: [user!, used!],
    ...(code && { code }),
    message: `${user} (${tfm}) references ${used}, which is built for ${available} only.`,
  };
}

/** Ignores projects with several frameworks, which target several versions on purpose. */
function differentVersions(evaluations: readonly ProjectEvaluation[], nameOf: NameOf): SolutionIssue[] {
  const projectsByVersion = new Map<string, string[]>();
  for (const evaluation of evaluations) {
    const [framework, ...others] = targetFrameworksOf(evaluation).map(describeFramework);
    if (!framework?.isModernNet || others.length > 0) continue;
    const { version } = framework;
    projectsByVersion.set(version, [...(projectsByVersion.get(version) ?? []), nameOf(evaluation.project)]);
  }
  if (projectsByVersion.size < 2) return [];
  const versions = [...projectsByVersion].sort(([a], [b]) => Number(b) - Number(a));
  const text = versions.map(([version, projects]) => `net${version} (${projects.join(', ')})`).join(', ');
  return [
    {
      severity: 'recommendation',
      projects: versions.flatMap(([, projects]) => projects),
      message: `The projects target different versions of .NET: ${text}.`,
    },
  ];
}

/** True if a project for `from` can reference one for `to`, by NuGet's rules without fallbacks. */
export function isCompatible(from: Framework, to: Framework): boolean {
  if (to.isNetStandard) return Number(to.version) <= netStandardOf(from);
  if (from.isNetFramework || to.isNetFramework || from.isNetStandard) {
    return from.isNetFramework && to.isNetFramework && comparable(to.version) <= comparable(from.version);
  }
  const isPlatformServed = to.platform === undefined || to.platform === from.platform;
  return isPlatformServed && Number(to.version) <= Number(from.version);
}

/** Returns the highest version of .NET Standard that a framework implements; 0 if none. */
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

/** Makes versions of .NET Framework comparable: `4.7.2` is 472, and `4.8` is 480. */
function comparable(version: string): number {
  return Number(version.replaceAll('.', '').padEnd(3, '0'));
}
