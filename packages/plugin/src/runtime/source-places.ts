import type { CodePlace } from '../own-code.js';
import { readRegularText } from '../regular-file.js';

/** Finds the line that declares a class. Returns undefined if the source text has no such line. */
export const placeOfClass = (file: string, name: string): CodePlace | undefined =>
  placeOf(file, new RegExp(`\\bclass\\s+${escaped(name)}\\b`));

export const placeOfExport = (file: string, name: string): CodePlace | undefined =>
  placeOf(
    file,
    name === 'default'
      ? /^\s*export\s+default\b|\bmodule\.exports\s*=/
      : new RegExp(`^\\s*export\\b.*\\b${escaped(name)}\\b|\\bexports\\.${escaped(name)}\\s*=`),
  );

/** @param origin such as `class:MyTool` */
export function placeOfOrigin(file: string, origin: string): CodePlace | undefined {
  const [kind, name] = origin.split(':');
  if (name === undefined) return undefined;
  return kind === 'class' ? placeOfClass(file, name) : placeOfExport(file, name);
}

const escaped = (name: string) => name.replace(/[^\w]/g, '\\$&');

function placeOf(file: string, pattern: RegExp): CodePlace | undefined {
  try {
    const index = readRegularText(file)
      .split('\n')
      .findIndex((line) => pattern.test(line));
    return index < 0 ? undefined : { file, line: index + 1 };
  } catch {
    return undefined;
  }
}
