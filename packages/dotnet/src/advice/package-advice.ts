import { existsSync } from 'node:fs';
import type { RecommendedAction } from '@mortise/plugin';
import { readRegularText, suggestNames } from '@mortise/plugin/runtime';
import { hasNoCode } from '../diagnostics/parse/multi-line-messages.js';
import { sharedFiles } from '../nuget/package-versions.js';
import type { FailureEvidence } from './codes/root-cause-kind.js';
import { again, call, manual } from './next-call.js';
import { nearestVersion, packageInMessage, resolvedInstead } from './package-in-message.js';
import { centralPackages, placeOfPackage, projectNamed, referencingProject } from './package-place.js';
import { suggestPackages } from './suggest-packages.js';

type PackageAdvice = (evidence: FailureEvidence, packageId: string) => RecommendedAction | undefined;

/** The advice for errors whose message names a package. The first that applies is taken. */
const BY_CODE: Readonly<Record<string, readonly PackageAdvice[]>> = {
  NU1010: [adviseOnCentralName],
  NU1015: [adviseOnMissingVersion],
  NU1101: [adviseOnDownload, adviseOnUnknownPackage],
  NU1102: [adviseOnDownload, adviseOnVersion],
  NU1107: [adviseOnConflict],
  NU1109: [adviseOnCentralDowngrade],
  NU1603: [adviseOnVersion],
  NU1605: [adviseOnDowngrade],
};

/** Codes of an audit that got no data on vulnerabilities. They are faults of a source, not of a package. */
const AUDIT = /^NU190[05]$/i;
const PACKING = /^NU5\d{3}$/i;

export function adviseOnPackage(evidence: FailureEvidence): RecommendedAction {
  const { code, message, project, run } = evidence;
  if (code === 'NU1004') return adviseOnLockFile(evidence);
  if (hasNoCode(code)) return manual('Correct the problem that the message reports.');
  if (code === 'NUGET_NO_SOURCES')
    return manual('Add a package source: dotnet_package AddSource takes its name and its address.');
  if (PACKING.test(code)) return manual(`Correct the problem that ${code} reports, then pack again.`);
  if (code === 'NUGET_NO_SEARCH')
    return again('Search for the exact id, which works without a search service.', { exactMatch: true });
  const packageId = packageInMessage(message);
  if (run?.args[0] === 'tool') return adviseOnToolPackage(evidence, packageId);
  if (AUDIT.test(code))
    return call('List the sources: one that audits use has no data on vulnerabilities.', 'dotnet_package', {
      action: 'ListSources',
    });
  // Listing the project's packages is no alternative, because it needs the restore that failed.
  if (packageId === undefined) return manual(`Correct what ${code} reports${project ? ` in ${project}` : ''}.`);
  for (const advice of BY_CODE[code] ?? []) {
    const action = advice(evidence, packageId);
    if (action) return action;
  }
  return searchFor(packageId, `See the versions of ${packageId}.`, { ...(code === 'NU1103' && { prerelease: true }) });
}

/** Recommends a search by the exact id, which lists all versions of the package. */
function searchFor(packageId: string, description: string, more: object = {}): RecommendedAction {
  return call(description, 'dotnet_package', { action: 'Search', searchTerm: packageId, exactMatch: true, ...more });
}

function adviseOnLockFile({ message, project }: FailureEvidence): RecommendedAction {
  const changed = /package reference (\S+) version has changed/.exec(message)?.[1];
  const why =
    changed !== undefined && isSdkPackage(changed)
      ? `The version of ${changed} follows the SDK, and another SDK wrote the lock file: pin the SDK in global.json, or update the lock file.`
      : 'Update the lock file: restore once without locked mode.';
  return call(why, 'dotnet_project', {
    action: 'Restore',
    ...(project !== undefined && { project }),
    properties: { RestoreLockedMode: 'false', RestoreForceEvaluate: 'true' },
  });
}

/** The version of a .NET tool is chosen with `dotnet_tool`, not in a project. */
function adviseOnToolPackage({ code, run }: FailureEvidence, packageId: string | undefined): RecommendedAction {
  if (packageId === undefined || code !== 'NU1102') {
    return call('See which sources were asked; correct the id or add the source that has it.', 'dotnet_package', {
      action: 'ListSources',
    });
  }
  const change = run!.args[1] === 'install' ? 'Install' : 'Update';
  return searchFor(
    packageId,
    `See the versions of ${packageId}, then call dotnet_tool ${change} with packageId and one of them as version.`,
  );
}

function adviseOnVersion({ message, project }: FailureEvidence, packageId: string): RecommendedAction | undefined {
  const version = nearestVersion(message) ?? resolvedInstead(message);
  if (version === undefined || project === undefined) return undefined;
  const owner = dependent(message, project, packageId);
  const { isReferenced, versionAt } = placeOfPackage(owner, packageId);
  if (isReferenced) return withVersion('Update', owner, packageId, version);
  if (versionAt !== undefined) return manual(`Give ${packageId} the version ${version} in ${versionAt}.`);
  // Another package depends on it; a direct reference takes precedence.
  return resolvedInstead(message) ? withVersion('Add', owner, packageId, version) : undefined;
}

/** Returns the project in a message such as `Lib depends on …`, which can be one that `project` references. */
function dependent(message: string, project: string, packageId: string): string {
  const name = /(?:^|: )(\S{1,200}) depends on /.exec(message)?.[1];
  return (name !== undefined && projectNamed(name, project)) || referencingProject(project, packageId);
}

function withVersion(action: 'Add' | 'Update', project: string, packageId: string, version: string): RecommendedAction {
  const description =
    action === 'Add'
      ? `Reference ${packageId} ${version} directly.`
      : `Change ${packageId} to version ${version}, which exists.`;
  return call(description, 'dotnet_package', { action, packageId, version, project });
}

const DOWNGRADE = /downgrade: \S{1,100} from (\d[\w.+-]{0,60}) to /;

/** The last project in a path such as ` App -> Lib -> Plain (>= 1.0.0)` has the reference with the lower version. */
function adviseOnDowngrade({ message, project }: FailureEvidence, packageId: string): RecommendedAction | undefined {
  const version = DOWNGRADE.exec(message)?.[1];
  if (version === undefined) return undefined;
  const names = message.trimEnd().split('\n').at(-1)!.trim().split(' -> ');
  const owner = project && projectNamed(names.at(-2) ?? '', project);
  const target = owner ?? project;
  return call(`Reference ${packageId} ${version} directly.`, 'dotnet_package', {
    action: 'Add',
    packageId,
    version,
    ...(target !== undefined && { project: target }),
  });
}

function adviseOnCentralDowngrade(evidence: FailureEvidence, packageId: string): RecommendedAction | undefined {
  const { message, project } = evidence;
  const version = DOWNGRADE.exec(message)?.[1];
  if (version === undefined || project === undefined) return undefined;
  const { isReferenced, versionAt } = placeOfPackage(project, packageId);
  if (isReferenced) return withVersion('Update', project, packageId, version);
  return manual(
    `Raise the central version of ${packageId} to ${version}${versionAt === undefined ? '' : ` in ${versionAt}`}.`,
  );
}

/** The message says "Install/reference Plain 2.0.0 directly to project A to resolve this issue." */
function adviseOnConflict({ message, project }: FailureEvidence, packageId: string): RecommendedAction | undefined {
  const version = /Install\/reference \S{1,100} (\d\S{0,60}) directly/.exec(message)?.[1];
  return version === undefined || project === undefined ? undefined : withVersion('Add', project, packageId, version);
}

/** The central file has no version for the package, but perhaps for one with a similar id. */
function adviseOnCentralName({ project }: FailureEvidence, packageId: string): RecommendedAction | undefined {
  if (project === undefined) return undefined;
  const central = centralPackages(project);
  const [nearest] = central === undefined ? [] : suggestNames(packageId, central.ids, 1);
  if (nearest !== undefined)
    return manual(`${central!.file} has ${nearest}, not ${packageId}: correct the name in ${project}.`);
  return call(`Give ${packageId} a central version: Add takes the newest one.`, 'dotnet_package', {
    action: 'Add',
    packageId,
    project,
  });
}

function adviseOnMissingVersion({ project }: FailureEvidence, packageId: string): RecommendedAction | undefined {
  if (project === undefined) return undefined;
  const { versionAt } = placeOfPackage(project, packageId);
  if (versionAt !== undefined) {
    return manual(
      `${versionAt} has a version of ${packageId}, which does not apply to this project: look at the conditions of the item and of ManagePackageVersionsCentrally.`,
    );
  }
  return call(`Give ${packageId} a version: Add takes the newest one.`, 'dotnet_package', {
    action: 'Add',
    packageId,
    project,
  });
}

/** No source has the package, so a search finds nothing. Similar ids come from the projects and the local cache. */
function adviseOnUnknownPackage(evidence: FailureEvidence, id: string): RecommendedAction {
  const { run, missingPackages = [] } = evidence;
  const suggestions = run === undefined ? [] : suggestPackages(id, run.cwd, missingPackages);
  const [closest] = suggestions;
  const missing = `No source has ${id}${placeOfUnknown(evidence, id)}`;
  if (closest === undefined) {
    return manual(
      `${missing}, and no package of the projects or the local cache has a name like it. Correct the id, or add the source that has it (dotnet_package AddSource).`,
    );
  }
  const found = `${missing}. Packages with a name like it: ${suggestions.join(', ')}.`;
  if (run!.args.includes('add') && run!.args.includes(id)) return again(found, { packageId: closest });
  return searchFor(closest, `${found} See the versions of ${closest}, then reference it instead.`);
}

/** Returns the place of the reference in parentheses; '' if it is unknown or the error already points to a file. */
function placeOfUnknown({ file, project }: FailureEvidence, packageId: string): string {
  if (file !== undefined || project === undefined) return '';
  const { isReferenced, versionAt } = placeOfPackage(referencingProject(project, packageId), packageId);
  return isReferenced && versionAt !== undefined ? ` (${versionAt})` : '';
}

/** Ids of packages that the SDK downloads by itself. Their versions follow that of the SDK. */
const SDK_PACKAGE =
  /^(?:Microsoft\.(?:NETCore|AspNetCore|WindowsDesktop)\.App\.|Microsoft\.NETCore\.Platforms$|Microsoft\.NET\.(?:ILLink\.|Sdk\.|Runtime\.)|runtime\.[\w.-]+\.Microsoft\.|Microsoft\.DotNet\.ILCompiler$)/i;

/** True for packages of the SDK: runtime packs, targeting packs, the trimmer and the native compiler. */
export const isSdkPackage = (packageId: string): boolean => SDK_PACKAGE.test(packageId);

const BASELINE = 'PackageValidationBaselineVersion';

/**
 * Advises on a package that no item references, because the SDK downloads it as a pack or as the baseline of package
 * validation.
 * @returns undefined for any other package
 */
export function adviseOnDownload(
  { message, project, run }: FailureEvidence,
  packageId: string,
): RecommendedAction | undefined {
  if (project === undefined || placeOfPackage(project, packageId).isReferenced) return undefined;
  if (isSdkPackage(packageId)) {
    const runtime = run?.args[run.args.indexOf('-r') + 1];
    const alternative = run?.args.includes('-r') ? `, or leave out runtime ${runtime}` : '';
    return manual(
      `The SDK downloads ${packageId} as a pack; no project references it. Add the source that has it, which is nuget.org by default${alternative}.`,
    );
  }
  const version = nearestVersion(message);
  const isBaseline = message.includes(' (= ') && [project, ...sharedFiles(project)].some(namesBaseline);
  if (!isBaseline || version === undefined) return undefined;
  return call(
    `${packageId} is the baseline of package validation: name a version of it that exists.`,
    'dotnet_project',
    {
      action: 'SetProperty',
      project,
      propertyName: BASELINE,
      propertyValue: version,
    },
  );
}

const namesBaseline = (file: string): boolean => existsSync(file) && readRegularText(file).includes(`<${BASELINE}>`);
