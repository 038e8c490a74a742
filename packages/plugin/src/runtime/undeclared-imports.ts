import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { readRegularText } from '../regular-file.js';
import { codeOf, importedFiles } from './imported-files.js';
import { tryRead } from './likely-mistakes.js';
import { loadProblem } from './load-problem.js';
import type { PluginProblem } from './problem.js';
import { isJsonObject } from './to-json-value.js';

/** `from 'x'`, `import 'x'`, `import('x')`, `require('x')` of a package: not of a path, a URL or a `#name`. */
const BARE_IMPORT = /(?:\bfrom|\bimport|\brequire)\s*(?:\(\s*)?['"`](?<specifier>[@\w][^'"`:\s]*)['"`]/g;
/** What is not there when the code runs: types, and lines of comments. */
const NOT_RUN = /\b(?:import|export)\s+type\b[^'"`;]*?\bfrom\s*['"][^'"\n]*['"]|^[ \t]*(?:\/\/|\/\*|\*).*$/gm;
/** The members of package.json that are installed where the plugin is. */
const DECLARING = ['dependencies', 'peerDependencies', 'optionalDependencies'] as const;
/** The server gives its own copy where none is installed. */
const GIVEN = '@mortise/plugin';
const MAX_PACKAGE_BYTES = 1024 * 1024;

/**
 * Packages that the plugin imports without declaring them, and that are found only because another package has them
 * installed. Only for a plugin whose package.json has a name (docs/spec/plugins.md#undeclared-imports).
 * @param root the plugin's folder
 */
export function undeclaredImports(entry: string, root: string): PluginProblem[] {
  const json = readPackage(root);
  if (typeof json?.name !== 'string') return [];
  const declared = new Set([json.name, GIVEN, ...DECLARING.flatMap((member) => namesOf(json[member]))]);
  const found = new Map<string, PluginProblem>();
  for (const file of importedFiles(entry)) {
    for (const [name, line] of packagesIn(codeOf(file) ?? '')) {
      if (declared.has(name) || found.has(name)) continue;
      const folder = installedIn(dirname(file), name);
      if (folder === undefined) continue;
      const message = `It imports '${name}', which its package.json does not declare; it was found in ${folder}.`;
      found.set(name, loadProblem('IMPORT_UNDECLARED', message, { file, line, subject: name }));
    }
  }
  return [...found.values()];
}

/** The packages that the files of a plugin import. */
export const importsOf = (entry: string): string[] =>
  importedFiles(entry).flatMap((file) => [...packagesIn(codeOf(file) ?? '').keys()]);

function readPackage(root: string): Record<string, unknown> | undefined {
  return tryRead(() => {
    const json: unknown = JSON.parse(readRegularText(join(root, 'package.json'), MAX_PACKAGE_BYTES));
    return isJsonObject(json) ? json : undefined;
  });
}

const namesOf = (member: unknown): string[] =>
  typeof member === 'object' && member !== null ? Object.keys(member) : [];

/** The packages that a text imports, each with the line of its first import. */
function packagesIn(code: string): Map<string, number> {
  const text = code.replace(NOT_RUN, (found) => found.replace(/[^\n]/g, ' '));
  const packages = new Map<string, number>();
  for (const match of text.matchAll(BARE_IMPORT)) {
    const specifier = match.groups!.specifier!;
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
    if (isBuiltin(specifier) || packages.has(name)) continue;
    packages.set(name, text.slice(0, match.index).split('\n').length);
  }
  return packages;
}

/** The folder of the package that an import in `folder` finds, by Node's search upward. */
function installedIn(folder: string, name: string): string | undefined {
  const path = join(folder, 'node_modules', name);
  if (existsSync(path)) return path;
  return dirname(folder) === folder ? undefined : installedIn(dirname(folder), name);
}
