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
  /** Empty if it is not set. If the frameworks differ, the value without a framework. */
  readonly propertyValue: string;
  /** It has a value, or the project defines it as empty. */
  readonly isSet: boolean;
  /** The values by framework, where they differ. */
  readonly valuesByFramework?: Readonly<Record<string, string>>;
  /** The file, absolute, and the line that give it this value, if it is one of the project and its Directory files. */
  readonly file?: string;
  readonly line?: number;
  /** If a target sets it during the build: the target, and how to get that value. */
  readonly note?: string;
}

export interface PropertyValues {
  readonly success: true;
  readonly projectPath: string;
  /** In the order that they were asked for. */
  readonly values: readonly PropertyValue[];
  readonly restored: boolean;
}

/** The answer of ListItems (docs/spec/dotnet-results.md#project-queries). */
export interface ItemList {
  readonly success: true;
  readonly projectPath: string;
  /** `(all)` where no type was asked for. */
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
 * The values of properties as MSBuild evaluates them, by one evaluation.
 * @throws FileError `invalid value` for what is not a property name; `not found`.
 * @throws EvaluationError
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
    isSet: values.some((one) => one !== '') || value !== '' || isDefined(loaded, name),
    ...(!isSame && {
      valuesByFramework: Object.fromEntries(inner.map(({ framework }, index) => [framework, values[index]!])),
    }),
    ...(isSame && value !== '' && definitionOf(loaded.evaluation.project, name, value)),
    ...noteOf(loaded, name),
  };
}

/** What the target GetAssemblyVersion of the SDK derives from Version, where the project sets none (SDK 10). */
const VERSION_PROPERTIES = ['Version', 'AssemblyVersion', 'FileVersion', 'InformationalVersion'];

/** The value that the build gives a version, empty for any other property. */
function versionInBuild(evaluation: Evaluation, name: string): string {
  const version = propertyOf(evaluation, 'Version');
  if (!VERSION_PROPERTIES.some((one) => isSameName(one, name)) || version === '') return '';
  if (isSameName(name, 'InformationalVersion')) return version;
  const own = propertyOf(evaluation, 'AssemblyVersion');
  if (own !== '') return own;
  const [, numbers] = /^(\d+(?:\.\d+){0,3})(?:[-+].*)?$/.exec(version) ?? [];
  return numbers === undefined ? '' : [...numbers.split('.'), '0', '0', '0'].slice(0, 4).join('.');
}

function noteOf({ evaluation }: LoadedProject, name: string): { note?: string } {
  const { project, inner } = evaluation;
  const [first] = inner;
  const value = propertyOf(first!, name);
  const isVersion = VERSION_PROPERTIES.some((one) => isSameName(one, name));
  if (value === '' && versionInBuild(first!, name) !== '') {
    const revision = isSameName(name, 'InformationalVersion') ? ', and adds the revision of the source control' : '';
    return { note: `The target GetAssemblyVersion sets it from Version during the build${revision}.` };
  }
  const sdk = propertyOf(first!, 'MSBuildBinPath');
  const asksSdk = (value === '' && !isVersion) || isSameName(name, 'DefineConstants');
  const intermediateFolder = dirname(assetsPath(evaluation));
  const found =
    ownTargetOf(project, name) ??
    packageTargetOf(project, intermediateFolder, name) ??
    (asksSdk && sdk !== '' ? sdkTargetOf(sdk, name) : undefined);
  if (!found) {
    const source = versionSource(project, name, value);
    return source ? { note: `It comes from ${source.property} in ${source.file}, line ${source.line}.` } : {};
  }
  const { target, file } = found;
  return {
    note: `Set by a target during the build: ${target} in ${file}. The value here is that before the build; to ask for the other: dotnet msbuild ${project} -t:${target} -getProperty:${name}`,
  };
}

/**
 * The items of a project, of one type or of all types that are written in it and its Directory.* files.
 * @throws FileError `invalid value` for what is not an item type; `not found`.
 * @throws EvaluationError
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

/** A name may be one that MSBuild reserves: it is only read. */
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
  const above = foldersUpward(dirname(project)).flatMap((folder) => DIRECTORY_FILES.map((name) => join(folder, name)));
  return uniqueNames([project, ...above].flatMap(itemTypesIn));
}

function itemTypesIn(file: string): string[] {
  if (!existsSync(file)) return [];
  try {
    const groups = groupsOf(parseProject(readRegularText(file)), 'ItemGroup');
    return groups.flatMap((group) => group.elements.map(({ name }) => name));
  } catch (error) {
    // MSBuild reports its problems, and only if it is imported.
    if (error instanceof FileError || error instanceof UnreadableFileError) return [];
    throw error;
  }
}
