/** CSI sequences (colours), and OSC sequences (links, titles) up to their end. */
const ANSI = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)/g;
/** Time and node number, which the console logger prints at verbosity normal and above. */
const LOGGER_PREFIX = /^\s*(?:\d\d:\d\d:\d\d\.\d{3}\s+)?(?:\d+(?::\d+)?>)?\s*/;

/** A printed line without ANSI sequences, the logger's prefix and white space around it. */
export function cleanLine(text: string): { line: string; isIndented: boolean } {
  const plain = plainText(text);
  const line = plain.trim();
  const isIndented = line !== '' && !plain.startsWith(line[0]!);
  const first = line.charCodeAt(0);
  const mayHavePrefix = first >= 48 && first <= 57;
  return { line: mayHavePrefix ? line.replace(LOGGER_PREFIX, '') : line, isIndented };
}

/** A text without byte-order mark and ANSI sequences. */
export function plainText(text: string): string {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  return body.includes('\x1b') ? body.replace(ANSI, '') : body;
}
