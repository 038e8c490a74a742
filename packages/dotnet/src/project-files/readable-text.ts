import { readRegularText } from '@mortise/plugin/runtime';

/** The text of a file; empty if it cannot be read, for looks around that a file more or less does not change. */
export function readableText(path: string, maxBytes?: number): string {
  try {
    return readRegularText(path, maxBytes);
  } catch {
    return '';
  }
}
