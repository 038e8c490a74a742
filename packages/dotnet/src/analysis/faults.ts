import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { readRegularText, suggestNames } from '@mortise/plugin/runtime';
import { call, manual } from '../advice/next-call.js';
import { propertyOf } from '../msbuild/evaluate.js';
import { isCentrallyManaged, packageReferencesOf, projectReferencesOf } from '../nuget/package-references.js';
import { findUpward } from '../project-files/find-project.js';
import { describeFramework, frameworkCatalog } from '../project-files/frameworks.js';
import { attributeOf, groupsOf, parseProject } from '../project-files/project-xml.js';
import { definitionOf } from '../project-files/property-definition.js';
import { referenceCircle } from '../project-files/reference-circle.js';
import { targetFrameworksOf } from './analyze.js';
import type { LoadedProject } from './load-project.js';

/** A reason why a project cannot be restored or built. */
export interface Fault {
  readonly message: string;
  readonly repair: RecommendedAction;
}

type FaultRule = (project: LoadedProject) => readonly Fault[];

/** Finds the faults of a project, in the order in which to repair them. */
export function faultsOf(project: LoadedProject): Fault[] {
  return FAULT_RULES.flatMap((rule) => rule(project));
}

/** Returns the newest version of .NET that the SDK can target, such as `10.0`; empty if it is unknown. */
const newestVersion = ({ evaluation: { inner } }: LoadedProject) => propertyOf(inner[0]!, 'NETCoreAppMaximumVersion');

const FAULT_RULES: readonly FaultRule[] = [
  noFramework,
  newerFrameworks,
  missingProjects,
  circle,
  missingCentralVersions,
];

function noFramework(loaded: LoadedProject): Fault[] {
  const { project } = loaded.evaluation;
  if (targetFrameworksOf(loaded.evaluation).length > 0) return [];
  const version = newestVersion(loaded);
  const propertyValue = version === '' ? frameworkCatalog([]).latestLts : `net${version}`;
  return [
    {
      message: 'No target framework is set: add TargetFramework or TargetFrameworks.',
      repair: setProperty(project, 'TargetFramework', propertyValue),
    },
  ];
}

/** Finds target frameworks that a restore or a build would report as NETSDK1045. */
function newerFrameworks(loaded: LoadedProject): Fault[] {
  const version = newestVersion(loaded);
  const frameworks = targetFrameworksOf(loaded.evaluation);
  const isNewer = (tfm: string) => {
    const framework = describeFramework(tfm);
    return framework?.isModernNet === true && Number(framework.version) > Number(version);
  };
  if (version === '' || !frameworks.some(isNewer)) return [];
  const lowered = frameworks.map((tfm) => (isNewer(tfm) ? tfm.replace(/^net\d+\.\d+/i, `net${version}`) : tfm));
  const [propertyName, before] =
    frameworks.length === 1 && propertyOf(loaded.evaluation.outer, 'TargetFramework') !== ''
      ? ['TargetFramework', frameworks[0]!]
      : ['TargetFrameworks', propertyOf(loaded.evaluation.outer, 'TargetFrameworks')];
  const file = definitionOf(loaded.evaluation.project, propertyName, before)?.file ?? loaded.evaluation.project;
  return frameworks.filter(isNewer).map((tfm) => ({
    message: `The installed SDK cannot target ${tfm}: the newest framework that it can target is net${version} (NETSDK1045).`,
    repair: setProperty(file, propertyName, [...new Set(lowered)].join(';')),
  }));
}

function setProperty(project: string, propertyName: string, propertyValue: string): RecommendedAction {
  const args = { action: 'SetProperty', project, propertyName, propertyValue };
  return call(`Set ${propertyName} to ${propertyValue}.`, 'dotnet_project', args);
}

function missingProjects({ evaluation }: LoadedProject): Fault[] {
  const { project } = evaluation;
  return projectReferencesOf(evaluation)
    .filter(({ path }) => !existsSync(path))
    .map(({ path }) => ({
      message: `The referenced project ${path} does not exist.`,
      repair: call('Remove the reference, if the project is not to come back.', 'dotnet_package', {
        ...{ action: 'RemoveReference', project, referencePath: path },
      }),
    }));
}

/**
 * Finds a circle of references, which a restore reports as MSB4006 without naming the projects. The message is the same
 * for each project of the circle.
 */
function circle({ evaluation: { project } }: LoadedProject): Fault[] {
  const paths = referenceCircle(project);
  if (paths === undefined) return [];
  const names = rotateToFirst(paths.slice(0, -1)).map((path) => basename(path));
  const message = `Circular project reference: ${[...names, names[0]].join(' → ')}. Remove one of these references.`;
  return [{ message, repair: manual(message) }];
}

/** Rotates the paths so that the alphabetically first one is at the start. */
function rotateToFirst(paths: readonly string[]): readonly string[] {
  const start = paths.indexOf(paths.toSorted()[0]!);
  return [...paths.slice(start), ...paths.slice(0, start)];
}

/** Reads the package ids in the nearest Directory.Packages.props. Evaluations of solutions omit unreferenced ones. */
function centralPackages(project: string): string[] {
  try {
    const file = findUpward(dirname(project), 'Directory.Packages.props');
    if (file === undefined) return [];
    const groups = groupsOf(parseProject(readRegularText(file)), 'ItemGroup');
    const versions = groups.flatMap(({ elements }) => elements.filter(({ name }) => name === 'PackageVersion'));
    return versions.flatMap((version) => attributeOf(version, 'Include') ?? []);
  } catch {
    return [];
  }
}

/** Finds references that a restore would report as NU1010, because they have no central version. */
function missingCentralVersions({ evaluation }: LoadedProject): Fault[] {
  if (!isCentrallyManaged(evaluation)) return [];
  const { project } = evaluation;
  const centralIds = centralPackages(project);
  return packageReferencesOf(evaluation)
    .filter(({ version, isImplicit }) => version === undefined && !isImplicit)
    .map(({ name }) => {
      const [similar] = suggestNames(name, centralIds, 1);
      const message = `The package ${name} has no PackageVersion in Directory.Packages.props.`;
      return similar === undefined
        ? {
            message,
            repair: call(`Add a version of ${name}.`, 'dotnet_package', { action: 'Add', project, packageId: name }),
          }
        : {
            message: `${message} Did you mean ${similar}, which has one?`,
            repair: manual(`Correct ${name} to ${similar} in ${project}.`),
          };
    });
}
