import type { ListedPackage } from '../nuget/packages.js';

/** The packages of one project for one of its frameworks. */
export interface ProjectPackages {
  readonly project?: string;
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
  return [...groups.values()];
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

/** A line for each project and framework, with its packages below it. */
export function packageLines(groups: readonly ProjectPackages[]): string[] {
  return groups.flatMap(({ project, framework, packages }) => [
    [project ?? 'Packages', framework && `(${framework})`].filter(Boolean).join(' '),
    ...packages.map(packageLine),
  ]);
}

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
