import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CONVERTERS, type ImportedPackage, importedPackages, isJsonObject } from '@mortise/plugin/runtime';
import type { Candidate } from '../../core/plugin-candidate.js';
import { MAX_PACKAGE_BYTES } from '../../plugins/find/resolve-package.js';
import { readTextFile } from '../../util/read-text-file.js';
import type { Issue } from './issue.js';

/** The members of package.json that are installed where the plugin is. */
const DECLARING = ['dependencies', 'peerDependencies', 'optionalDependencies'] as const;
/** The server gives its own copy where none is installed. */
const GIVEN = '@mortise/plugin';

/**
 * A warning for each package that the plugin imports without declaring it, and that is found only because another package has
 * it installed. Only for a plugin whose package.json has a name (docs/spec/plugin-authoring.md#undeclared-imports).
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

/** The packages that a plugin needs when it runs and that its package.json does not declare. */
export function undeclaredPackages(entry: string, json: Readonly<Record<string, unknown>>): NeededPackage[] {
  const declared = new Set([json.name, GIVEN, ...DECLARING.flatMap((member) => Object.keys(json[member] ?? {}))]);
  const imported = importedPackages(entry);
  const names = new Set(imported.map(({ name }) => name));
  const converters = imported.flatMap(convertersOf).filter(({ name }) => !names.has(name));
  return [...imported, ...converters].filter(({ name }) => !declared.has(name));
}

/** The package that writes the schemas of an imported library as JSON Schema, where it is installed: a plugin can do without it. */
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
  const installed = installedIn(folder, name);
  return String((installed && readPackage(join(installed, 'package.json'))?.version) ?? '');
}

function readPackage(file: string): Record<string, unknown> | undefined {
  const content = readTextFile(file, MAX_PACKAGE_BYTES);
  if (content.kind !== 'text') return undefined;
  try {
    const json: unknown = JSON.parse(content.text);
    return isJsonObject(json) ? json : undefined;
  } catch {
    // Its own problem says so.
    return undefined;
  }
}

/** The folder of the package that an import in `folder` finds, by Node's search upward. */
function installedIn(folder: string, name: string): string | undefined {
  const path = join(folder, 'node_modules', name);
  if (existsSync(path)) return path;
  return dirname(folder) === folder ? undefined : installedIn(dirname(folder), name);
}
