import { isBuiltin } from 'node:module';
import { codeOf, importedFiles } from './imported-files.js';

/**
 * Matches `from 'x'`, `import 'x'`, `import('x')` and `require('x')` of a package, but not of a path, a URL or a
 * `#name`.
 */
const BARE_IMPORT = /(?:\bfrom|\bimport|\brequire)\s*(?:\(\s*)?['"`](?<specifier>[@\w][^'"`:\s]*)['"`]/g;
/** Matches code that is absent at run time: imports of types, and comment lines. */
const NOT_RUN = /\b(?:import|export)\s+type\b[^'"`;]*?\bfrom\s*['"][^'"\n]*['"]|^[ \t]*(?:\/\/|\/\*|\*).*$/gm;

export interface ImportedPackage {
  readonly name: string;
  /** The first file that imports it; an absolute path. */
  readonly file: string;
  readonly line: number;
}

/**
 * The packages that a plugin imports at run time, each once, without modules of Node.js.
 * @param entry an absolute path
 */
export function importedPackages(entry: string): ImportedPackage[] {
  const packages = new Map<string, ImportedPackage>();
  for (const file of importedFiles(entry)) {
    for (const imported of packagesIn(file)) if (!packages.has(imported.name)) packages.set(imported.name, imported);
  }
  return [...packages.values()];
}

function packagesIn(file: string): ImportedPackage[] {
  const text = (codeOf(file) ?? '').replace(NOT_RUN, (removed) => removed.replace(/[^\n]/g, ' '));
  return [...text.matchAll(BARE_IMPORT)].flatMap(({ groups, index }) => {
    const specifier = groups!.specifier!;
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
    return isBuiltin(specifier) ? [] : [{ name, file, line: text.slice(0, index).split('\n').length }];
  });
}
