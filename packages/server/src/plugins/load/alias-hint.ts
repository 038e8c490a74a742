import { dirname, join } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';
import { tryOs } from '../../util/ignore-os-errors.js';

/** No package has such a name: `@/x` and `~/x`, which bundlers know. */
const NO_PACKAGE = /^[@~]\//;

/**
 * What to do about an import that is an alias and not a package; undefined if it may be a package.
 * @param folder of the file that has the import
 */
export async function aliasHint(specifier: string, folder: string): Promise<string | undefined> {
  const isAlias = NO_PACKAGE.test(specifier) || (await pathsOf(folder)).some((pattern) => matches(pattern, specifier));
  if (!isAlias) return undefined;
  return 'Node.js does not know the aliases of tsconfig.json (`paths`): import the file by its path, or give it a name with # under `imports` in package.json.';
}

/** The patterns of `compilerOptions.paths` in the nearest tsconfig.json. */
async function pathsOf(folder: string): Promise<string[]> {
  for (let at = folder; ; at = dirname(at)) {
    const text = tryOs(() => readRegularText(join(at, 'tsconfig.json')));
    if (text !== undefined) {
      const { parse } = await import('jsonc-parser');
      const paths: unknown = parse(text)?.compilerOptions?.paths;
      return typeof paths === 'object' && paths !== null ? Object.keys(paths) : [];
    }
    if (at === dirname(at)) return [];
  }
}

function matches(pattern: string, specifier: string): boolean {
  const [before = '', after] = pattern.split('*', 2);
  if (after === undefined) return pattern === specifier;
  return pattern !== '*' && specifier.startsWith(before) && specifier.endsWith(after);
}
