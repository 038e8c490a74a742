import { PLACEHOLDER } from './scan.js';

const START = '\uFDD0';
/** What `secret()` of the plugin contract marked; an end that was cut off is the text's end. */
const MARKED = /\uFDD0[^\uFDD1]*(?:\uFDD1|$)/g;
const MARKS = /[\uFDD0\uFDD1]/g;

/** The text with `[REDACTED]` in the place of what plugins marked as secret. Linear. */
export function hideMarked(text: string): string {
  return text.includes(START) ? text.replace(MARKED, PLACEHOLDER) : text;
}

/** The text without the marks. */
export function stripMarks(text: string): string {
  return text.replace(MARKS, '');
}
