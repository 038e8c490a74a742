import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';
import type { XmlElement } from '../xml/xml.js';
import { findUpward } from './find-project.js';
import { isSameName } from './msbuild-syntax.js';
import { attributeOf, groupsOf, parseProject } from './project-xml.js';

/** A target that sets a property when it runs. */
export interface SettingTarget {
  readonly target: string;
  /** The absolute path of the file with the target. */
  readonly file: string;
}

const OWN_FILES = ['Directory.Build.props', 'Directory.Build.targets'];

/**
 * Finds the target of the project or its Directory.Build files that sets a property. Evaluations do not run targets.
 */
export function ownTargetOf(project: string, property: string): SettingTarget | undefined {
  return findIn(ownFiles(project), property);
}

/**
 * Finds the target of a package that sets a property, in the files of packages that the project imports.
 * @param intermediateFolder the folder in which a restore writes its files
 */
export function packageTargetOf(
  project: string,
  intermediateFolder: string,
  property: string,
): SettingTarget | undefined {
  const generated = ['props', 'targets'].map((kind) =>
    join(intermediateFolder, `${basename(project)}.nuget.g.${kind}`),
  );
  return findIn(generated.flatMap(importsOf), property);
}

/** Returns the files that a file of NuGet imports, such as `$(NuGetPackageRoot)minver/7.0.0/build/MinVer.targets`. */
function importsOf(file: string): string[] {
  try {
    const elements = (text: string) => parseProject(text).elements;
    const root = rootIn(elements(readRegularText(file.replace(/targets$/, 'props'))));
    return elements(readRegularText(file))
      .flatMap((child) => (child.name === 'Import' ? [child] : child.elements.filter(({ name }) => name === 'Import')))
      .flatMap((element) => attributeOf(element, 'Project') ?? [])
      .map((path) => path.replace(/^\$\(NuGetPackageRoot\)/i, () => root));
  } catch {
    return [];
  }
}

function rootIn(elements: readonly XmlElement[]): string {
  const properties = elements.flatMap((group) => group.elements);
  return properties.find(({ name }) => name === 'NuGetPackageRoot')?.text.trim() ?? '';
}

/** Finds the target of the SDK that sets a property. @param sdk the folder of an SDK version, with its MSBuild */
export function sdkTargetOf(sdk: string, property: string): SettingTarget | undefined {
  const folders = [join(sdk, 'Sdks/Microsoft.NET.Sdk/targets'), sdk];
  const files = folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.targets$/i.test(name))
      .map((name) => join(folder, name)),
  );
  return findIn(files, property);
}

/** Returns the packages that targets of the project or its Directory.Build files reference, in lower case. */
export function packagesInTargets(project: string): string[] {
  return ownFiles(project)
    .flatMap((file) => targetsIn(file))
    .flatMap((target) => groupsOf(target, 'ItemGroup'))
    .flatMap((group) => group.elements.filter(({ name }) => isSameName(name, 'PackageReference')))
    .flatMap((item) => (attributeOf(item, 'Include') ?? '').toLowerCase().split(';'))
    .map((name) => name.trim());
}

function ownFiles(project: string): string[] {
  return [project, ...OWN_FILES.flatMap((name) => findUpward(dirname(project), name) ?? [])];
}

function findIn(files: readonly string[], property: string): SettingTarget | undefined {
  for (const file of files) {
    const target = targetsIn(file, property).find((candidate) => setsProperty(candidate, property));
    if (target) return { target: attributeOf(target, 'Name') ?? '', file };
  }
  return undefined;
}

function setsProperty(target: XmlElement, property: string): boolean {
  const isDeclared = groupsOf(target, 'PropertyGroup').some((group) =>
    group.elements.some(({ name }) => isSameName(name, property)),
  );
  const outputs = target.elements.flatMap((task) => task.elements.filter(({ name }) => name === 'Output'));
  return isDeclared || outputs.some((output) => isSameName(attributeOf(output, 'PropertyName') ?? '', property));
}

/** @param word a file without this word is not parsed */
function targetsIn(file: string, word = '<Target'): XmlElement[] {
  try {
    const text = readRegularText(file);
    if (!text.toLowerCase().includes(word.toLowerCase())) return [];
    return parseProject(text).elements.filter(({ name }) => name === 'Target');
  } catch {
    return [];
  }
}
