import { dirname, join } from 'node:path';
import { type ProblemLocation, readRegularText } from '@mortise/plugin/runtime';
import type { Jiti } from 'jiti';

const RELATIVE_IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;

/**
 * Finds the location of a syntax error in an ES module, or in one of the files that it imports by relative paths.
 * Node's own error has no location.
 */
export async function findSyntaxError(entry: string): Promise<ProblemLocation | undefined> {
  const { createJiti } = await import('jiti');
  const jiti = createJiti(entry, { fsCache: false });
  const files = new Set([entry]);
  for (const file of files) {
    const source = readSource(file);
    const location = source === undefined ? undefined : parse(jiti.transform, source, file);
    if (location) return location;
    for (const [, specifier] of source?.matchAll(RELATIVE_IMPORT) ?? []) files.add(join(dirname(file), specifier!));
  }
  return undefined;
}

/** Instead of throwing a syntax error, jiti returns the code of a module that would throw it. */
const TRANSLATION_ERROR = /^exports\.__JITI_ERROR__ = (\{.*\})/;

function parse(transform: Jiti['transform'], source: string, filename: string): ProblemLocation | undefined {
  const [, error] = TRANSLATION_ERROR.exec(transform({ source, filename, ts: false, async: true })) ?? [];
  if (!error) return undefined;
  const { line, column } = JSON.parse(error) as { line: number; column: number };
  return { file: filename, line, column: column + 1 };
}

function readSource(file: string): string | undefined {
  try {
    return readRegularText(file);
  } catch {
    return undefined;
  }
}
