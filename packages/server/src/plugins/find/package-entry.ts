import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type PackageJson, type PluginProblem } from '@mortise/plugin/runtime';
import { type ParseError, type ParseErrorCode, parse, printParseErrorCode } from 'jsonc-parser';
import { type Bound, boundViolation, limitProblem } from '../../settings/limit-violation.js';
import { positionIn } from '../../util/position-in.js';
import { readTextFile } from '../../util/read-text-file.js';
import { MAX_PACKAGE_BYTES } from './resolve-package.js';

export { indexFileOf, MODULE_EXTENSIONS, type PackageJson, packageEntry } from '@mortise/plugin/runtime';

const PACKAGE_JSON_BYTES: Bound = { limit: 'PackageJsonBytes', most: MAX_PACKAGE_BYTES, unit: 'bytes' };

/**
 * Reads the package.json in a folder. Returns undefined if there is none, and a problem if it is invalid or too large.
 */
export function readPackage(folder: string): { json: PackageJson } | { problem: PluginProblem } | undefined {
  const file = join(folder, 'package.json');
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > PACKAGE_JSON_BYTES.most)
    return { problem: limitProblem(boundViolation(PACKAGE_JSON_BYTES, 'package.json', size), { file }) };
  const read = readTextFile(file, PACKAGE_JSON_BYTES.most);
  if (read.kind === 'missing') return undefined;
  if (read.kind === 'unreadable') return { problem: invalid(file, read.why) };
  const { text } = read;
  const errors: ParseError[] = [];
  const json: unknown = parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (error) return { problem: invalid(file, describeCode(error.error), positionIn(text, error.offset)) };
  if (!isJsonObject(json)) {
    return { problem: invalid(file, 'it does not contain an object', { line: 1, column: 1 }) };
  }
  return { json: json as PackageJson };
}

function invalid(file: string, reason: string, location?: { line: number; column: number }): PluginProblem {
  return {
    severity: 'error',
    code: 'PLUGIN_PACKAGE_INVALID',
    message: `package.json is not valid: ${reason}`,
    hint: 'Correct package.json. It is optional: without one, index.js is the entry.',
    location: { file, ...location },
  };
}

/** Writes an error code of the parser as text: `CommaExpected` becomes `comma expected`. */
function describeCode(code: ParseErrorCode): string {
  return printParseErrorCode(code)
    .replace(/\B[A-Z]/g, ' $&')
    .toLowerCase();
}
