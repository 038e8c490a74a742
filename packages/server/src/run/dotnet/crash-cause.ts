const MESSAGE_LINE = /^(?!\s+at )\s*(.*)$/;
const METHOD = /^\s+at (.*)$/;

/** The first line that .NET prints when a process crashes, its meaning, and the pattern of the following line with details. */
const CRASHES: readonly (readonly [RegExp, string, RegExp])[] = [
  [/^Unhandled exception\.\s*(.*)$/, 'unhandled exception', MESSAGE_LINE],
  [/^Process terminated\.\s*(.*)$/, 'it called Environment.FailFast', MESSAGE_LINE],
  [/^Stack overflow\.\s*(.*)$/, 'its stack overflowed', METHOD],
  [/^Out of memory\.\s*(.*)$/, 'it ran out of memory', MESSAGE_LINE],
];

/** Finds the reason of a crash in the output of a .NET process. .NET prints the reason before the stack trace. */
export interface CrashCause {
  onOutput(line: string): void;
  /** Returns the reason as a clause; undefined until the output contains one. */
  message(): string | undefined;
}

export function createCrashCause(): CrashCause {
  let meaning: string | undefined;
  let detailPattern = MESSAGE_LINE;
  let details = '';
  return {
    onOutput(line) {
      const [, text = ''] = detailPattern.exec(line) ?? [];
      if (meaning !== undefined && details === '') details = text.trim();
      for (const [firstLine, meaningOfLine, detailLine] of CRASHES) {
        const match = firstLine.exec(line);
        if (match) [meaning, details, detailPattern] = [meaningOfLine, match[1]!.trim(), detailLine];
      }
    },
    message: () => (meaning === undefined || details === '' ? meaning : `${meaning}: ${details}`),
  };
}
