import { dirname } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';
import { findUpward } from './find-project.js';
import { isSameName } from './msbuild-syntax.js';
import { groupsOf, parseProject } from './project-xml.js';

export interface PropertyDefinition {
  readonly file: string;
  readonly line: number;
}

/** The files that are evaluated after the project, the last one first. */
const AFTER = ['Directory.Build.targets'];
/** The files that are evaluated before the project, the last one first. */
const BEFORE = ['Directory.Packages.props', 'Directory.Build.props'];

/**
 * Finds the definition that gives a property its evaluated value, in the project or its Directory files.
 * @returns undefined if the value must come from elsewhere: a file that they import, the environment or the SDK
 */
export function definitionOf(project: string, name: string, value: string): PropertyDefinition | undefined {
  const found = (names: readonly string[]) => names.flatMap((file) => findUpward(dirname(project), file) ?? []);
  const files = [...found(AFTER), project, ...found(BEFORE)];
  for (const file of files) {
    const line = lineOf(file, name, value);
    if (line !== undefined) return { file, line };
  }
  return undefined;
}

/**
 * Finds the property from which SDK 10 derives a version that no file sets: PackageVersion comes from Version, and
 * Version begins with VersionPrefix.
 * @returns undefined for other properties, and for a version that a file sets
 */
export function versionSource(
  project: string,
  name: string,
  value: string,
): (PropertyDefinition & { readonly property: string }) | undefined {
  const isDerived = ['Version', 'PackageVersion'].some((property) => isSameName(property, name));
  if (!isDerived || value === '' || definitionOf(project, name, value)) return undefined;
  const [prefix = ''] = value.split('-');
  for (const [property, text] of [
    ['Version', value],
    ['VersionPrefix', prefix],
  ] as const) {
    const place = definitionOf(project, property, text);
    if (place) return { property, ...place };
  }
  return undefined;
}

/** Returns the line of the last definition whose text is the value or refers to other properties. */
function lineOf(file: string, name: string, value: string): number | undefined {
  try {
    const text = readRegularText(file);
    if (!text.toLowerCase().includes(`<${name.toLowerCase()}`)) return undefined;
    const definition = groupsOf(parseProject(text), 'PropertyGroup')
      .flatMap((group) => group.elements)
      .findLast(
        (element) =>
          isSameName(element.name, name) && (element.text.trim() === value.trim() || element.text.includes('$(')),
      );
    return definition && text.slice(0, definition.start).split('\n').length;
  } catch {
    return undefined;
  }
}
