import { dirname, join } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';
import { tryOs } from '../../util/ignore-os-errors.js';

/** Matches the aliases of bundlers, `@/x` and `~/x`, which cannot be names of packages. */
const BUNDLER_ALIAS = /^[@~]\//;

/**
 * Returns a hint for an import of an alias; undefined if the specifier may be a package.
 * @param folder the folder of the file that has the import
 */
export async function aliasHint(specifier: string, folder: string): Promise<string | undefined> {
  const isAlias =
    BUNDLER_ALIAS.test(specifier) || (await pathsOf(folder)).some((pattern) => matches(pattern, specifier));
  if (!isAlias) return undefined;
  return 'Node.js does not know the aliases of tsconfig.json (`paths`): import the file by its path, or give it a name with # under `imports` in package.json.';
}

/** Returns the patterns of `compilerOptions.paths` in the nearest tsconfig.json. */
async function pathsOf(folder: string): Promise<string[]> {
  for (let current = folder; ; current = dirname(current)) {
    const text = tryOs(() => readRegularText(join(current, 'tsconfig.json')));
    if (text !== undefined) {
      const { parse } = await import('jsonc-parser');
      const paths: unknown = parse(text)?.compilerOptions?.paths;
      return typeof paths === 'object' && paths !== null ? Object.keys(paths) : [];
    }
    if (current === dirname(current)) return [];
  }
}

function matches(pattern: string, specifier: string): boolean {
  const [prefix = '', suffix] = pattern.split('*', 2);
  if (suffix === undefined) return pattern === specifier;
  return pattern !== '*' && specifier.startsWith(prefix) && specifier.endsWith(suffix);
}
