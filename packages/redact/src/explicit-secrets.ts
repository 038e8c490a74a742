import { PLACEHOLDER } from './placeholder.js';

const START = '\uFDD0';
const END = '\uFDD1';
/** What `secret()` of the plugin contract marked; a beginning or an end that was cut off is the text's own. */
const MARKED_TEXT = /(?:\uFDD0|^[^\uFDD0\uFDD1]*(?=\uFDD1))[^\uFDD1]*(?:\uFDD1|$)/g;
const MARKERS = /[\uFDD0\uFDD1]/g;

/** The text with `[REDACTED]` in the place of what plugins marked as secret. Linear. */
export function redactMarked(text: string): string {
  return text.includes(START) || text.includes(END) ? text.replace(MARKED_TEXT, PLACEHOLDER) : text;
}

/** The text without the marks. */
export function stripMarkers(text: string): string {
  return text.replace(MARKERS, '');
}
