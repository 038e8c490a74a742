import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createRedactor, createUnsafeRedactor, PLACEHOLDER, type Redactor } from '@mortise/redact';
import { tryOs } from '../../util/ignore-os-errors.js';
import { readTextFile } from '../../util/read-text-file.js';
import type { Issue } from '../shared/issue.js';
import { finding, type PackageUnderCheck } from './package-under-check.js';

/** Larger files are not searched. */
const MAX_BYTES = 5 * 1024 * 1024;

/** Documentation and declarations: a value under a key in them is usually an example. */
const DESCRIPTION = /\.(?:md|txt|d\.[mc]?ts)$/i;

/**
 * The secrets in the published files, each with its place and never its text: what redaction finds by its form is an
 * error, and so is a literal value under a key that names a secret; in a README that is a warning.
 * @param secrets those of the configuration
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
    return [finding('warning', 'FILE_NOT_SEARCHED', { folder, file }, message, 'Look whether it has to be published.')];
  }
  const content = readTextFile(path, MAX_BYTES);
  // What is not text is an image or an archive.
  if (content.kind !== 'text') return [];
  return secretLines(content.text, redactor).map(({ line, isCertain }) =>
    isCertain || !DESCRIPTION.test(file)
      ? finding('error', 'FILE_SECRET', { folder, file, line }, 'A secret is published here', HINT)
      : finding('warning', 'FILE_SECRET', { folder, file, line }, 'This looks like a secret', HINT),
  );
}

const HINT =
  'Read it from the configuration (getConfig), and replace the secret if it was ever committed. In an example write a text such as <your key>.';

/** The lines, from 1, that hold a secret. `isCertain`: by its form, whatever is before it. */
export function secretLines(text: string, redactor: Redactor): { line: number; isCertain: boolean }[] {
  const original = createUnsafeRedactor().text(text).split('\n');
  const redacted = redactor.text(text).split('\n');
  const changed = original.flatMap((line, index) => (line === redacted[index] ? [] : [index]));
  // A private key becomes one line: what comes after it is not compared.
  if (original.length !== redacted.length)
    return changed.slice(0, 1).map((index) => ({ line: index + 1, isCertain: true }));
  return changed.flatMap((index) => {
    const found = replacedParts(original[index]!, redacted[index]!);
    const isCertain = found.some(({ part }) => redactor.text(part) !== part);
    return isCertain || found.some(isLiteral) ? [{ line: index + 1, isCertain }] : [];
  });
}

interface ReplacedPart {
  readonly part: string;
  /** The character before it. */
  readonly before: string;
}

/** What the placeholders of a line are in place of. */
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

/** Letters and digits between quotes, or after `=` without any: code and words are not. */
function isLiteral({ part, before }: ReplacedPart): boolean {
  const isValue = /["'`=:]/.test(before) && /^[^\s(){}<>$,;]{8,}$/.test(part);
  const isName = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(part);
  return isValue && !isName && /\d/.test(part) && /[A-Za-z]/.test(part);
}
