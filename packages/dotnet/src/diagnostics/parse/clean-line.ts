/** CSI sequences (colours) and OSC sequences (links, titles). */
const ANSI = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)/g;
/** The time and the node number that the console logger prints at verbosity `normal` and above. */
const LOGGER_PREFIX = /^\s*(?:\d\d:\d\d:\d\d\.\d{3}\s+)?(?:\d+(?::\d+)?>)?\s*/;

/** Removes ANSI sequences, the logger's prefix and surrounding white space from a line. */
export function cleanLine(text: string): { line: string; isIndented: boolean } {
  const plain = plainText(text);
  const line = plain.trim();
  const isIndented = line !== '' && !plain.startsWith(line[0]!);
  const first = line.charCodeAt(0);
  const mayHavePrefix = first >= 48 && first <= 57;
  return { line: mayHavePrefix ? line.replace(LOGGER_PREFIX, '') : line, isIndented };
}

/** Removes the byte-order mark and ANSI sequences from a text. */
export function plainText(text: string): string {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  return body.includes('\x1b') ? body.replace(ANSI, '') : body;
}
