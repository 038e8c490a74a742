import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ImportedPackage, importedPackages } from '@mortise/plugin/runtime';
import type { Candidate } from '../../core/plugin-candidate.js';
import { readTextFile } from '../../util/read-text-file.js';
import type { Issue } from './issue.js';

/** The members of package.json that are installed where the plugin is. */
const DECLARING = ['dependencies', 'peerDependencies', 'optionalDependencies'] as const;
/** The server gives its own copy where none is installed. */
const GIVEN = '@mortise/plugin';
const MAX_PACKAGE_BYTES = 1024 * 1024;

/**
 * A warning for each package that the plugin imports without declaring it, and that is found only because another package has
 * it installed. Only for a plugin whose package.json has a name (docs/spec/plugins.md#undeclared-imports).
 */
export function undeclaredImports({ name: plugin, kind, entry, root }: Candidate): Issue[] {
  if (kind !== 'module' || entry === undefined || root === undefined) return [];
  const json = readPackage(join(root, 'package.json'));
  if (typeof json?.name !== 'string') return [];
  return undeclaredPackages(entry, json).flatMap(({ name, file, line }): Issue[] => {
    const folder = installedIn(dirname(file), name);
    if (folder === undefined) return [];
    const message = `It imports '${name}', which its package.json does not declare; it was found in ${folder}.`;
    const hint = `Add it to dependencies of package.json (\`npm install ${name}\` in the folder of the plugin); elsewhere the import fails.`;
    return [{ severity: 'warning', code: 'IMPORT_UNDECLARED', plugin, message, hint, file, line, subject: name }];
  });
}

/** The packages that the code of a plugin imports and that its package.json does not declare. */
export function undeclaredPackages(entry: string, json: Readonly<Record<string, unknown>>): ImportedPackage[] {
  const declared = new Set([json.name, GIVEN, ...DECLARING.flatMap((member) => Object.keys(json[member] ?? {}))]);
  return importedPackages(entry).filter(({ name }) => !declared.has(name));
}

function readPackage(file: string): Record<string, unknown> | undefined {
  const content = readTextFile(file, MAX_PACKAGE_BYTES);
  if (content.kind !== 'text') return undefined;
  try {
    const json: unknown = JSON.parse(content.text);
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined;
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
