import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CONVERTERS, type ImportedPackage, importedPackages, isJsonObject } from '@mortise/plugin/runtime';
import type { Candidate } from '../../core/plugin-candidate.js';
import { MAX_PACKAGE_BYTES } from '../../plugins/find/resolve-package.js';
import { readTextFile } from '../../util/read-text-file.js';
import type { Issue } from './issue.js';

/** The members of package.json whose packages are installed together with the plugin. */
const DEPENDENCY_MEMBERS = ['dependencies', 'peerDependencies', 'optionalDependencies'] as const;
/** The package that need not be declared, because the server supplies its own copy. */
const SUPPLIED_PACKAGE = '@mortise/plugin';

/**
 * Returns a warning for each package that the plugin imports without declaring it, and that is found only because
 * another package installed it. Checks only a plugin whose package.json has a name
 * (docs/spec/plugin-authoring.md#undeclared-imports).
 */
export function undeclaredImports({ name: plugin, kind, entry, root }: Candidate): Issue[] {
  if (kind !== 'module' || entry === undefined || root === undefined) return [];
  const json = readPackage(join(root, 'package.json'));
  if (typeof json?.name !== 'string') return [];
  return undeclaredPackages(entry, json).flatMap(({ name, file, line, writesSchemasOf: library }): Issue[] => {
    const folder = installedIn(dirname(file), name);
    if (folder === undefined) return [];
    const use = library === undefined ? `It imports '${name}'` : `Its schemas of ${library} need '${name}'`;
    const message = `${use}, which its package.json does not declare; it was found in ${folder}.`;
    const hint = `Add it to dependencies of package.json (\`npm install ${name}\` in the folder of the plugin); elsewhere the import fails.`;
    return [{ severity: 'warning', code: 'IMPORT_UNDECLARED', plugin, message, hint, file, line, subject: name }];
  });
}

interface NeededPackage extends ImportedPackage {
  /** The library for which `defineTool` loads the package, if no code imports it. */
  readonly writesSchemasOf?: string;
}

/** Returns the packages that a plugin needs when it runs and that its package.json does not declare. */
export function undeclaredPackages(entry: string, json: Readonly<Record<string, unknown>>): NeededPackage[] {
  const dependencies = DEPENDENCY_MEMBERS.flatMap((member) => Object.keys(json[member] ?? {}));
  const declaredNames = new Set([json.name, SUPPLIED_PACKAGE, ...dependencies]);
  const imports = importedPackages(entry);
  const importedNames = new Set(imports.map(({ name }) => name));
  const converters = imports.flatMap(convertersOf).filter(({ name }) => !importedNames.has(name));
  return [...imports, ...converters].filter(({ name }) => !declaredNames.has(name));
}

/**
 * Returns the package that converts the schemas of an imported library to JSON Schema, if it is installed. Otherwise
 * the plugin does not use it.
 */
function convertersOf({ name: library, file, line }: ImportedPackage): NeededPackage[] {
  const folder = dirname(file);
  return CONVERTERS.filter(
    ({ library: name, versions, packageName }) =>
      name === library &&
      versionOf(folder, name).startsWith(versions) &&
      installedIn(folder, packageName) !== undefined,
  ).map(({ packageName }) => ({ name: packageName, file, line, writesSchemasOf: library }));
}

function versionOf(folder: string, name: string): string {
  const packageFolder = installedIn(folder, name);
  return String((packageFolder && readPackage(join(packageFolder, 'package.json'))?.version) ?? '');
}

function readPackage(file: string): Record<string, unknown> | undefined {
  const content = readTextFile(file, MAX_PACKAGE_BYTES);
  if (content.kind !== 'text') return undefined;
  try {
    const json: unknown = JSON.parse(content.text);
    return isJsonObject(json) ? json : undefined;
  } catch {
    // Loading the plugin reports an invalid package.json.
    return undefined;
  }
}

/** Returns the folder of the package that an import in `folder` finds: Node searches the folder and its parents. */
function installedIn(folder: string, name: string): string | undefined {
  const path = join(folder, 'node_modules', name);
  if (existsSync(path)) return path;
  return dirname(folder) === folder ? undefined : installedIn(dirname(folder), name);
}
