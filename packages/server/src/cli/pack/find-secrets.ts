import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createRedactor, createUnsafeRedactor, PLACEHOLDER, type Redactor } from '@mortise/redact';
import { tryOs } from '../../util/ignore-os-errors.js';
import { readTextFile } from '../../util/read-text-file.js';
import type { Issue } from '../shared/issue.js';
import { finding, type PackageUnderCheck } from './package-under-check.js';

/** The size of the largest file that is searched. */
const MAX_BYTES = 5 * 1024 * 1024;

/** Matches documentation and declarations, in which a value under a key is usually an example. */
const DOCUMENTATION = /\.(?:md|txt|d\.[mc]?ts)$/i;

/** Matches program code, in which a word without quotes is a name and no value. */
const CODE = /\.(?:[cm]?[jt]sx?|cs|fs|vb|py|rb|go|rs|java|kt|swift|php)$/i;

/**
 * Finds secrets in the published files and reports their place, never their text. A text with the form of a secret is
 * an error. A literal value under a key that names a secret is an error too, but only a warning in documentation.
 * @param secrets the secrets of the configuration
 */
export function findSecrets({ folder, files }: PackageUnderCheck, secrets: readonly string[]): Issue[] {
  const redactor = createRedactor({ secrets });
  return files.flatMap((file) => secretsOf(folder, file, redactor));
}

function secretsOf(folder: string, file: string, redactor: Redactor): Issue[] {
  const path = join(folder, file);
  const bytes = tryOs(() => statSync(path).size) ?? 0;
  if (bytes > MAX_BYTES) {
    const message = `The file has ${bytes} bytes; files of more than ${MAX_BYTES} are not searched for secrets`;
    return [finding('warning', 'FILE_NOT_SEARCHED', { folder, file }, message, 'Check that it has to be published.')];
  }
  const content = readTextFile(path, MAX_BYTES);
  // Other files are images or archives.
  if (content.kind !== 'text') return [];
  return secretLines(content.text, redactor, CODE.test(file)).map(({ line, isCertain }) =>
    isCertain || !DOCUMENTATION.test(file)
      ? finding('error', 'FILE_SECRET', { folder, file, line }, 'A secret is published here', HINT)
      : finding('warning', 'FILE_SECRET', { folder, file, line }, 'This looks like a secret', HINT),
  );
}

const HINT =
  'Read it from the configuration (getConfig), and replace the secret if it was ever committed. In an example write a text such as <your key>.';

/**
 * Returns the numbers of the lines that contain a secret, starting at 1. `isCertain` is true for a text that has the
 * form of a secret, whatever precedes it.
 * @param isCode true if words without quotes are names
 */
export function secretLines(text: string, redactor: Redactor, isCode = true): { line: number; isCertain: boolean }[] {
  const original = createUnsafeRedactor().text(text).split('\n');
  const redacted = redactor.text(text).split('\n');
  const changedIndexes = original.flatMap((line, index) => (line === redacted[index] ? [] : [index]));
  // A private key is replaced by a single line, so the lines after it cannot be compared.
  if (original.length !== redacted.length)
    return changedIndexes.slice(0, 1).map((index) => ({ line: index + 1, isCertain: true }));
  return changedIndexes.flatMap((index) => {
    const parts = replacedParts(original[index]!, redacted[index]!);
    const isCertain = parts.some(({ part }) => redactor.text(part) !== part);
    return isCertain || parts.some((part) => isLiteral(part, isCode)) ? [{ line: index + 1, isCertain }] : [];
  });
}

interface ReplacedPart {
  readonly part: string;
  /** The character before the part; '' at the start of the line. */
  readonly before: string;
}

/** Returns the parts of a line that placeholders have replaced. */
function replacedParts(original: string, redacted: string): ReplacedPart[] {
  const [first = '', ...rest] = redacted.split(PLACEHOLDER);
  const parts: ReplacedPart[] = [];
  let at = first.length;
  for (const [index, piece] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const end = isLast ? original.length - piece.length : original.indexOf(piece, at);
    if (end < at) return [{ part: original.slice(at), before: original[at - 1] ?? '' }];
    parts.push({ part: original.slice(at, end), before: original[at - 1] ?? '' });
    at = end + piece.length;
  }
  return parts;
}

/** The characters that separate words. In code, a part with one of them is an expression. */
const SEPARATORS = /[\s(){}<>$,;]+/;

/** True for a part with a word of at least 8 characters that has letters and digits; false for names and expressions. */
function isLiteral({ part, before }: ReplacedPart, isCode: boolean): boolean {
  if (/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(part)) return false;
  const isName = /^\w+$/.test(part) && !/["'`=:]/.test(before);
  if (isCode && (isName || SEPARATORS.test(part))) return false;
  return part.split(SEPARATORS).some((word) => word.length >= 8 && /\d/.test(word) && /[A-Za-z]/.test(word));
}
