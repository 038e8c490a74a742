import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readRegularText, UnreadableFile } from '@mortise/plugin/host';
import { type Evaluation, itemsOf, propertyOf } from './evaluate.js';
import { FileError } from './file-error.js';
import { foldersUpward } from './find-project.js';
import { type LoadedProject, loadProject, type ProjectSource } from './load-project.js';
import { assertMSBuildName, isMSBuildName, isSameName, uniqueNames } from './msbuild-syntax.js';
import { mergeFrameworks } from './package-references.js';
import { groupsOf, parseProject } from './project-xml.js';

/** The answer of GetProperty (docs/spec/dotnet-tools.md#project-queries). */
export interface PropertyValue {
  readonly success: true;
  readonly projectPath: string;
  readonly propertyName: string;
  /** Empty where it is not set. Where the frameworks differ, the value without a framework. */
  readonly propertyValue: string;
  /** It has a value, or the project defines it as empty. */
  readonly isSet: boolean;
  /** The values by framework, where they differ. */
  readonly valuesByFramework?: Readonly<Record<string, string>>;
  readonly restored: boolean;
}

/** The answer of ListItems (docs/spec/dotnet-tools.md#project-queries). */
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
 * The value of a property as MSBuild evaluates it.
 * @throws FileError `invalid value` for what is no property name; `not found`.
 * @throws EvaluationFailed
 */
export async function getProperty(source: ProjectSource, project: string, name: string): Promise<PropertyValue> {
  assertName('property', name);
  const loaded = await loadProject(source, project, { properties: [name], itemTypes: [] });
  const { outer, inner } = loaded.evaluation;
  const values = inner.map((evaluation) => propertyOf(evaluation, name));
  const isSame = values.every((value) => value === values[0]);
  const value = isSame ? values[0]! : propertyOf(outer, name);
  return {
    success: true,
    projectPath: loaded.evaluation.project,
    propertyName: name,
    propertyValue: value,
    isSet: values.some((one) => one !== '') || value !== '' || isDefined(loaded, name),
    ...(!isSame && {
      valuesByFramework: Object.fromEntries(inner.map(({ framework }, index) => [framework, values[index]!])),
    }),
    restored: loaded.restored,
  };
}

/**
 * The items of a project, of one type or of all types that are written in it and its Directory.* files.
 * @throws FileError `invalid value` for what is no item type; `not found`.
 * @throws EvaluationFailed
 */
export async function listItems(source: ProjectSource, project: string, itemType?: string): Promise<ItemList> {
  if (itemType !== undefined) assertName('item type', itemType);
  const types = itemType === undefined ? writtenItemTypes(project) : [itemType];
  const { evaluation, restored } = await loadProject(source, project, { properties: [], itemTypes: types });
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
  return itemsOf(evaluation, itemType).map(({ include, metadata }) => ({ itemType, include, metadata }));
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

function writtenItemTypes(project: string): string[] {
  const above = foldersUpward(dirname(project)).flatMap((folder) => DIRECTORY_FILES.map((name) => join(folder, name)));
  return uniqueNames([project, ...above].flatMap(itemTypesIn));
}

function itemTypesIn(file: string): string[] {
  if (!existsSync(file)) return [];
  try {
    const groups = groupsOf(parseProject(readRegularText(file)), 'ItemGroup');
    return groups.flatMap((group) => group.elements.map(({ name }) => name));
  } catch (error) {
    // MSBuild names what is wrong with it, and only where it is imported.
    if (error instanceof FileError || error instanceof UnreadableFile) return [];
    throw error;
  }
}
