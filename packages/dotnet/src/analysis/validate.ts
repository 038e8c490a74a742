import { extname } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { type EvaluationQuery, itemsOf, metadataOf, propertyOf } from '../msbuild/evaluate.js';
import { isCentrallyManaged, packageReferencesOf } from '../nuget/package-references.js';
import { frameworkProblem, supportAdvice } from '../project-files/frameworks.js';
import { sdkOf, targetFrameworksOf } from './analyze.js';
import { faultsOf } from './faults.js';
import type { LoadedProject } from './load-project.js';

/** The answer of Validate (docs/spec/dotnet-results.md#project-queries). All texts are sentences. */
export interface ProjectValidation {
  readonly success: true;
  readonly projectPath: string;
  readonly isValid: boolean;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** Empty if there are errors. */
  readonly recommendations: readonly string[];
  readonly restored: boolean;
  /** Repairs the first error. Absent if there is none. */
  readonly recommendedAction?: RecommendedAction;
}

export const VALIDATION_QUERY: EvaluationQuery = {
  properties: [
    'TargetFrameworkIdentifier',
    'TargetFrameworkVersion',
    'NETCoreAppMaximumVersion',
    'OutputType',
    'Nullable',
  ],
  itemTypes: [],
};

const MANY_PACKAGES = 20;

type Rule = (project: LoadedProject) => readonly string[];

const WARNINGS: readonly Rule[] = [
  ({ xml }) => (sdkOf(xml) ? [] : ['The project names no SDK: it is not an SDK-style project.']),
  ({ evaluation }) =>
    targetFrameworksOf(evaluation)
      .filter((tfm) => frameworkProblem(tfm) !== undefined)
      .map((tfm) => `The target framework '${tfm}' is not recognised.`),
  ({ evaluation: { inner } }) => (propertyOf(inner[0]!, 'OutputType') ? [] : ['OutputType is not set.']),
  ({ evaluation }) =>
    isCentrallyManaged(evaluation)
      ? []
      : packageReferencesOf(evaluation)
          .filter(({ version }) => version === undefined)
          .map(({ name }) => `The package ${name} is referenced without a version.`),
  duplicatePackages,
];

const RECOMMENDATIONS: readonly Rule[] = [
  ({ evaluation }) => targetFrameworksOf(evaluation).flatMap((tfm) => supportAdvice(tfm) ?? []),
  ({ evaluation: { project, inner } }) =>
    extname(project).toLowerCase() !== '.csproj' || propertyOf(inner[0]!, 'Nullable').toLowerCase() === 'enable'
      ? []
      : ['Nullable reference types are not enabled: set Nullable to enable.'],
  ({ evaluation }) => {
    const count = packageReferencesOf(evaluation).length;
    return count > MANY_PACKAGES ? [`The project references ${count} packages directly: check which are needed.`] : [];
  },
  ({ evaluation }) =>
    packageReferencesOf(evaluation).length > 0 ? ['Check the packages for known vulnerabilities (Audit).'] : [],
  ({ restored }) => (restored ? [] : ['The project is not restored, or changed since: run Restore.']),
];

/** Finds errors, warnings and recommendations for a project whose query includes {@link VALIDATION_QUERY}. */
export function validateProject(project: LoadedProject): ProjectValidation {
  const apply = (rules: readonly Rule[]) => rules.flatMap((rule) => rule(project));
  const faults = faultsOf(project);
  const errors = faults.map(({ message }) => message);
  return {
    success: true,
    projectPath: project.evaluation.project,
    isValid: errors.length === 0,
    errors,
    warnings: apply(WARNINGS),
    recommendations: errors.length > 0 ? [] : apply(RECOMMENDATIONS),
    restored: project.restored,
    ...(faults[0] && { recommendedAction: faults[0].repair }),
  };
}

/** Finds references that a restore would report as NU1504. */
function duplicatePackages({ evaluation: { inner } }: LoadedProject): string[] {
  const repeated = inner.flatMap((evaluation) => {
    const names = itemsOf(evaluation, 'PackageReference')
      .filter((item) => metadataOf(item, 'IsImplicitlyDefined').toLowerCase() !== 'true')
      .map(({ include }) => include.toLowerCase());
    return names.filter((name, index) => names.indexOf(name) !== index);
  });
  return [...new Set(repeated)].map((name) => `The package ${name} is referenced more than once.`);
}
