import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readRegularText, UnreadableFileError } from '@mortise/plugin/runtime';
import { type Evaluation, type GlobalProperties, itemsOf, propertyOf } from '../msbuild/evaluate.js';
import { assetsPath } from '../nuget/assets.js';
import { mergeFrameworks, requestedVersion } from '../nuget/package-references.js';
import { FileError } from '../project-files/file-error.js';
import { foldersUpward } from '../project-files/find-project.js';
import { ownTargetOf, packageTargetOf, sdkTargetOf } from '../project-files/in-targets.js';
import { assertMSBuildName, isMSBuildName, isSameName, uniqueNames } from '../project-files/msbuild-syntax.js';
import { groupsOf, parseProject } from '../project-files/project-xml.js';
import { definitionOf, versionSource } from '../project-files/property-definition.js';
import { type LoadedProject, loadProject, type ProjectSource } from './load-project.js';

/** The answer of GetProperty (docs/spec/dotnet-results.md#project-queries). */
export interface PropertyValue {
  readonly propertyName: string;
  /** Empty if it is not set. If the values differ by framework, the value without a framework. */
  readonly propertyValue: string;
  /** True if it has a value or the project file defines it as empty. */
  readonly isSet: boolean;
  /** The values by framework, if they differ. */
  readonly valuesByFramework?: Readonly<Record<string, string>>;
  /** The absolute path of the file that sets the value, if it is the project or one of its Directory files. */
  readonly file?: string;
  readonly line?: number;
  /** Says where a value comes from that is not written as such, for example which target sets it during the build. */
  readonly note?: string;
}

export interface PropertyValues {
  readonly success: true;
  readonly projectPath: string;
  /** The values in the order of the requested names. */
  readonly values: readonly PropertyValue[];
  readonly restored: boolean;
}

/** The answer of ListItems (docs/spec/dotnet-results.md#project-queries). */
export interface ItemList {
  readonly success: true;
  readonly projectPath: string;
  /** `(all)` if no type was requested. */
  readonly itemType: string;
  readonly count: number;
  readonly items: readonly {
    readonly itemType: string;
    readonly include: string;
    readonly metadata: Readonly<Record<string, string>>;
    readonly frameworks?: readonly string[];
  }[];
  readonly restored: boolean;
}

/**
 * Reads the values of properties with one evaluation of the project.
 * @throws FileError `invalid value` for a text that is not a property name; those of {@link loadProject}
 * @throws EvaluationError if MSBuild cannot evaluate the project
 */
export async function getProperties(
  source: ProjectSource,
  project: string,
  names: readonly string[],
  globals?: GlobalProperties,
): Promise<PropertyValues> {
  for (const name of names) assertName('property', name);
  const properties = [...names, ...VERSION_PROPERTIES, 'MSBuildBinPath'];
  const loaded = await loadProject(source, project, { properties, itemTypes: [] }, globals);
  return {
    success: true,
    projectPath: loaded.evaluation.project,
    values: uniqueNames(names).map((name) => valueFor(loaded, name)),
    restored: loaded.restored,
  };
}

function valueFor(loaded: LoadedProject, name: string): PropertyValue {
  const { outer, inner } = loaded.evaluation;
  const values = inner.map((evaluation) => propertyOf(evaluation, name) || versionInBuild(evaluation, name));
  const isSame = values.every((value) => value === values[0]);
  const value = isSame ? values[0]! : propertyOf(outer, name);
  return {
    propertyName: name,
    propertyValue: value,
    isSet: values.some((frameworkValue) => frameworkValue !== '') || value !== '' || isDefined(loaded, name),
    ...(!isSame && {
      valuesByFramework: Object.fromEntries(inner.map(({ framework }, index) => [framework, values[index]!])),
    }),
    ...(isSame && value !== '' && definitionOf(loaded.evaluation.project, name, value)),
    ...noteOf(loaded, name),
  };
}

/** If a project does not set these, the SDK's target GetAssemblyVersion derives them from Version (SDK 10). */
const VERSION_PROPERTIES = ['Version', 'AssemblyVersion', 'FileVersion', 'InformationalVersion'];

function versionInBuild(evaluation: Evaluation, name: string): string {
  const version = propertyOf(evaluation, 'Version');
  if (!VERSION_PROPERTIES.some((property) => isSameName(property, name)) || version === '') return '';
  if (isSameName(name, 'InformationalVersion')) return version;
  const assemblyVersion = propertyOf(evaluation, 'AssemblyVersion');
  if (assemblyVersion !== '') return assemblyVersion;
  const [, numbers] = /^(\d+(?:\.\d+){0,3})(?:[-+].*)?$/.exec(version) ?? [];
  return numbers === undefined ? '' : [...numbers.split('.'), '0', '0', '0'].slice(0, 4).join('.');
}

function noteOf({ evaluation }: LoadedProject, name: string): { note?: string } {
  const { project, inner } = evaluation;
  const [first] = inner;
  const value = propertyOf(first!, name);
  const isVersion = VERSION_PROPERTIES.some((property) => isSameName(property, name));
  if (value === '' && versionInBuild(first!, name) !== '') {
    const revision = isSameName(name, 'InformationalVersion') ? ', and adds the revision of the source control' : '';
    return { note: `The target GetAssemblyVersion sets it from Version during the build${revision}.` };
  }
  const sdkFolder = propertyOf(first!, 'MSBuildBinPath');
  const searchesSdk = (value === '' && !isVersion) || isSameName(name, 'DefineConstants');
  const intermediateFolder = dirname(assetsPath(evaluation));
  const found =
    ownTargetOf(project, name) ??
    packageTargetOf(project, intermediateFolder, name) ??
    (searchesSdk && sdkFolder !== '' ? sdkTargetOf(sdkFolder, name) : undefined);
  if (!found) {
    const source = versionSource(project, name, value);
    return source ? { note: `It comes from ${source.property} in ${source.file}, line ${source.line}.` } : {};
  }
  const { target, file } = found;
  return {
    note: `Set by a target during the build: ${target} in ${file}. This is the value before the build. To see the one during the build, run: dotnet msbuild ${project} -t:${target} -getProperty:${name}`,
  };
}

/**
 * Lists the items of a project.
 * @param itemType absent: all types that occur in the project and its Directory.* files
 * @throws FileError `invalid value` for a text that is not an item type; those of {@link loadProject}
 * @throws EvaluationError if MSBuild cannot evaluate the project
 */
export async function listItems(
  source: ProjectSource,
  project: string,
  itemType?: string,
  globals?: GlobalProperties,
): Promise<ItemList> {
  if (itemType !== undefined) assertName('item type', itemType);
  const types = itemType === undefined ? declaredItemTypes(project) : [itemType];
  const { evaluation, restored } = await loadProject(source, project, { properties: [], itemTypes: types }, globals);
  const items = mergeFrameworks(evaluation, (inner) => types.flatMap((type) => itemsOfType(inner, type)));
  return {
    success: true,
    projectPath: evaluation.project,
    itemType: itemType ?? '(all)',
    count: items.length,
    items,
    restored,
  };
}

function itemsOfType(evaluation: Evaluation, itemType: string) {
  const isPackage = isSameName(itemType, 'PackageReference');
  return itemsOf(evaluation, itemType).map((item) => {
    const version = isPackage ? requestedVersion(evaluation, item) : '';
    const metadata = { ...item.metadata, ...(version && { Version: version }) };
    return { itemType, include: item.include, metadata };
  });
}

/** Accepts also names that MSBuild reserves, because they are only read. */
function assertName(kind: 'property' | 'item type', name: string): void {
  if (!isMSBuildName(name)) assertMSBuildName(kind, name);
}

function isDefined({ xml }: LoadedProject, name: string): boolean {
  return groupsOf(xml, 'PropertyGroup').some((group) =>
    group.elements.some((element) => isSameName(element.name, name)),
  );
}

const DIRECTORY_FILES = ['Directory.Build.props', 'Directory.Build.targets', 'Directory.Packages.props'];

function declaredItemTypes(project: string): string[] {
  const folders = foldersUpward(dirname(project));
  const directoryFiles = folders.flatMap((folder) => DIRECTORY_FILES.map((name) => join(folder, name)));
  return uniqueNames([project, ...directoryFiles].flatMap(itemTypesIn));
}

function itemTypesIn(file: string): string[] {
  if (!existsSync(file)) return [];
  try {
    const groups = groupsOf(parseProject(readRegularText(file)), 'ItemGroup');
    return groups.flatMap((group) => group.elements.map(({ name }) => name));
  } catch (error) {
    // If the project imports the file, MSBuild reports its problems.
    if (error instanceof FileError || error instanceof UnreadableFileError) return [];
    throw error;
  }
}
