import { groupBy } from '../analysis/group-by.js';
import type { ListedPackage } from '../nuget/packages.js';

/** The packages of a project for one framework, or for all its frameworks if they have the same packages. */
export interface ProjectPackages {
  readonly project?: string;
  /** Undefined if the packages are those of several frameworks. */
  readonly framework?: string;
  readonly packages: readonly ListedPackage[];
}

/** Groups packages by project and framework, in order of first appearance. */
export function packagesByProject(packages: readonly ListedPackage[]): ProjectPackages[] {
  const groups = new Map<string, ProjectPackages & { packages: ListedPackage[] }>();
  for (const listed of packages) {
    const { project, framework } = listed;
    const key = JSON.stringify([project, framework]);
    const group = groups.get(key) ?? { ...(project && { project }), ...(framework && { framework }), packages: [] };
    groups.set(key, group);
    group.packages.push(listed);
  }
  return [...groupBy([...groups.values()], ({ project = '' }) => project).values()].flatMap(mergedFrameworks);
}

/** Joins the groups of a project to one if all its frameworks have the same packages. */
function mergedFrameworks(ofProject: readonly ProjectPackages[]): readonly ProjectPackages[] {
  const [first, ...others] = ofProject;
  const packagesOf = ({ packages }: ProjectPackages) => JSON.stringify(packages.map(({ framework: _, ...one }) => one));
  if (!first || others.length === 0 || others.some((other) => packagesOf(other) !== packagesOf(first)))
    return ofProject;
  const { framework: _, ...merged } = first;
  return [merged];
}

/** Returns an entry of the result's `projects`, with the versions of its packages. The result's `packages` has the rest. */
export function asData({ packages, ...group }: ProjectPackages): object {
  const versions = packages.map(({ name, requestedVersion, resolvedVersion, latestVersion, transitive }) => ({
    name,
    ...(requestedVersion && { requestedVersion }),
    ...(resolvedVersion && { resolvedVersion }),
    ...(latestVersion && { latestVersion }),
    ...(transitive && { transitive }),
  }));
  return { ...group, packages: versions };
}

/**
 * Returns a line for each project, and below it a line for each package, with its frameworks if it is not in all of
 * them.
 */
export function packageLines(packages: readonly ListedPackage[]): string[] {
  return [...groupBy(packages, ({ project = '' }) => project)].flatMap(([project, all]) => {
    const frameworks = frameworksOf(all);
    const heading = [project || 'Packages', ...(frameworks.length > 0 ? [`(${frameworks.join(', ')})`] : [])].join(' ');
    const lines = groupBy(all, packageLine);
    return [heading, ...[...lines].map(([line, same]) => line + onlyFor(frameworksOf(same), frameworks))];
  });
}

const frameworksOf = (packages: readonly ListedPackage[]) => [
  ...new Set(packages.flatMap(({ framework }) => framework ?? [])),
];

const onlyFor = (frameworks: readonly string[], all: readonly string[]) =>
  frameworks.length === all.length ? '' : ` (${frameworks.join(', ')})`;

function versionsOf({ requestedVersion, resolvedVersion, latestVersion, transitive }: ListedPackage) {
  return {
    ...(requestedVersion && { requested: requestedVersion }),
    ...(resolvedVersion && { resolved: resolvedVersion }),
    ...(latestVersion && { latest: latestVersion }),
    ...(transitive && { transitive }),
  };
}

function packageLine(listed: ListedPackage): string {
  const { transitive, ...versions } = versionsOf(listed);
  const { alternative, reasons = [] } = listed.deprecation ?? {};
  const details = [
    ...Object.entries(versions).map(([label, version]) => `${label} ${version}`),
    ...(transitive ? ['transitive'] : []),
    ...(listed.deprecation ? [`deprecated (${reasons.join(', ')})`] : []),
    ...(alternative ? [`use ${[alternative.name, alternative.versionRange].filter(Boolean).join(' ')} instead`] : []),
    ...(listed.declaredAt ? [`declared at ${listed.declaredAt.join(', ')}`] : []),
    ...(listed.vulnerabilities ?? []).map(({ severity, advisoryUrl }) => `vulnerable (${severity}) ${advisoryUrl}`),
  ];
  return details.length === 0 ? `  ${listed.name}` : `  ${listed.name}: ${details.join(', ')}`;
}
