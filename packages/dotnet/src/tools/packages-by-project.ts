import { groupBy } from '../analysis/group-by.js';
import type { ListedPackage } from '../nuget/packages.js';

/** The packages of one project for one of its frameworks, or for all of them if these have the same. */
export interface ProjectPackages {
  readonly project?: string;
  /** Absent for several frameworks. */
  readonly framework?: string;
  readonly packages: readonly ListedPackage[];
}

/** In the order in which projects and frameworks appear. */
export function packagesByProject(packages: readonly ListedPackage[]): ProjectPackages[] {
  const groups = new Map<string, ProjectPackages & { packages: ListedPackage[] }>();
  for (const one of packages) {
    const { project, framework } = one;
    const key = JSON.stringify([project, framework]);
    const group = groups.get(key) ?? { ...(project && { project }), ...(framework && { framework }), packages: [] };
    groups.set(key, group);
    group.packages.push(one);
  }
  return [...groupBy([...groups.values()], ({ project = '' }) => project).values()].flatMap(mergedFrameworks);
}

/** One entry, if the packages of all frameworks are the same. */
function mergedFrameworks(ofProject: readonly ProjectPackages[]): readonly ProjectPackages[] {
  const [first, ...others] = ofProject;
  const packagesOf = ({ packages }: ProjectPackages) => JSON.stringify(packages.map(({ framework: _, ...one }) => one));
  if (!first || others.length === 0 || others.some((other) => packagesOf(other) !== packagesOf(first)))
    return ofProject;
  const { framework: _, ...merged } = first;
  return [merged];
}

/** An entry of `projects[]`: the versions of its packages; what else is known of a package is in `packages[]`. */
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

/** A line for each project, and below it one for each package, with its frameworks where these are not all. */
export function packageLines(packages: readonly ListedPackage[]): string[] {
  return [...groupBy(packages, ({ project = '' }) => project)].flatMap(([project, all]) => {
    const frameworks = frameworksOf(all);
    const heading = [project || 'Packages', ...(frameworks.length > 0 ? [`(${frameworks.join(', ')})`] : [])].join(' ');
    const lines = groupBy(all, packageLine);
    return [heading, ...[...lines].map(([line, ones]) => line + onlyFor(frameworksOf(ones), frameworks))];
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

function packageLine(one: ListedPackage): string {
  const { transitive, ...versions } = versionsOf(one);
  const { alternative, reasons = [] } = one.deprecation ?? {};
  const details = [
    ...Object.entries(versions).map(([label, version]) => `${label} ${version}`),
    ...(transitive ? ['transitive'] : []),
    ...(one.deprecation ? [`deprecated (${reasons.join(', ')})`] : []),
    ...(alternative ? [`use ${[alternative.name, alternative.versionRange].filter(Boolean).join(' ')} instead`] : []),
    ...(one.declaredAt ? [`declared at ${one.declaredAt.join(', ')}`] : []),
    ...(one.vulnerabilities ?? []).map(({ severity, advisoryUrl }) => `vulnerable (${severity}) ${advisoryUrl}`),
  ];
  return details.length === 0 ? `  ${one.name}` : `  ${one.name}: ${details.join(', ')}`;
}
