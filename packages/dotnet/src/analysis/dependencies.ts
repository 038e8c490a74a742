import {
  isCentrallyManaged,
  type PackageReference,
  type ProjectReference,
  packageReferencesOf,
  projectReferencesOf,
} from '../nuget/package-references.js';
import { targetFrameworksOf } from './analyze.js';
import type { LoadedProject } from './load-project.js';

/** The answer of Dependencies (docs/spec/dotnet-results.md#project-queries). */
export interface ProjectDependencies {
  readonly success: true;
  readonly projectPath: string;
  readonly targetFrameworks: readonly string[];
  readonly directPackageDependencies: readonly PackageReference[];
  readonly directProjectDependencies: readonly ProjectReference[];
  readonly totalDirectDependencies: number;
  readonly notes: readonly string[];
  readonly restored: boolean;
}

/** The direct dependencies of a loaded project. */
export function dependenciesOf({ evaluation, restored }: LoadedProject): ProjectDependencies {
  const packages = packageReferencesOf(evaluation);
  const projects = projectReferencesOf(evaluation);
  return {
    success: true,
    projectPath: evaluation.project,
    targetFrameworks: targetFrameworksOf(evaluation),
    directPackageDependencies: packages,
    directProjectDependencies: projects,
    totalDirectDependencies: packages.length + projects.length,
    notes: [
      'Only direct dependencies are listed; those of the dependencies come with them.',
      isCentrallyManaged(evaluation)
        ? 'Versions are the requested ones, most of them from Directory.Packages.props.'
        : 'Versions are the requested ones; a restore may resolve higher ones.',
      restored ? 'The project is restored.' : 'The project is not restored, or changed since: run Restore.',
    ],
    restored,
  };
}
