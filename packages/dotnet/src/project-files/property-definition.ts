import { dirname } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';
import { findUpward } from './find-project.js';
import { isSameName } from './msbuild-syntax.js';
import { groupsOf, parseProject } from './project-xml.js';

export interface PropertyDefinition {
  /** Absolute. */
  readonly file: string;
  /** The first is 1. */
  readonly line: number;
}

/** In the order of evaluation, the last first: the definition that is evaluated last counts. */
const AFTER = ['Directory.Build.targets'];
const BEFORE = ['Directory.Packages.props', 'Directory.Build.props'];

/**
 * The place that gives a property its evaluated value, in the project or its Directory files. Undefined if none of their
 * definitions can: a file that they import, the environment or the SDK gives it then.
 */
export function definitionOf(project: string, name: string, value: string): PropertyDefinition | undefined {
  const above = (files: readonly string[]) => files.flatMap((file) => findUpward(dirname(project), file) ?? []);
  const files = [...above(AFTER), project, ...above(BEFORE)];
  for (const file of files) {
    const line = lineOf(file, name, value);
    if (line !== undefined) return { file, line };
  }
  return undefined;
}

/**
 * The property that a version comes from which no file sets: PackageVersion is that of Version, and Version begins with
 * VersionPrefix (SDK 10). Undefined for other properties.
 */
export function versionSource(
  project: string,
  name: string,
  value: string,
): (PropertyDefinition & { readonly property: string }) | undefined {
  const isDerived = ['Version', 'PackageVersion'].some((one) => isSameName(one, name));
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

/** The line of the last definition whose text is the value, or refers to other properties. */
function lineOf(file: string, name: string, value: string): number | undefined {
  try {
    const text = readRegularText(file);
    if (!text.toLowerCase().includes(`<${name.toLowerCase()}`)) return undefined;
    const found = groupsOf(parseProject(text), 'PropertyGroup')
      .flatMap((group) => group.elements)
      .findLast((one) => isSameName(one.name, name) && (one.text.trim() === value.trim() || one.text.includes('$(')));
    return found && text.slice(0, found.start).split('\n').length;
  } catch {
    return undefined;
  }
}
