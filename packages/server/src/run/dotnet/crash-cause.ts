const MESSAGE_LINE = /^(?!\s+at )\s*(.*)$/;
const METHOD = /^\s+at (.*)$/;

/** The first line that .NET prints when a process crashes, its meaning, and the pattern of the following line with details. */
const SUFFIXES: readonly (readonly [RegExp, string, RegExp])[] = [
  [/^Unhandled exception\.\s*(.*)$/, 'unhandled exception', MESSAGE_LINE],
  [/^Process terminated\.\s*(.*)$/, 'it called Environment.FailFast', MESSAGE_LINE],
  [/^Stack overflow\.\s*(.*)$/, 'its stack overflowed', METHOD],
  [/^Out of memory\.\s*(.*)$/, 'it ran out of memory', MESSAGE_LINE],
];

/** Finds the reason of a crash in the output of a .NET process; it is printed before a stack trace of any length. */
export interface CrashCause {
  onOutput(line: string): void;
  /** Undefined as long as nothing was said. */
  message(): string | undefined;
}

export function createCrashCause(): CrashCause {
  let meaning: string | undefined;
  let more = MESSAGE_LINE;
  let lastMessage = '';
  return {
    onOutput(line) {
      const [, message = ''] = more.exec(line) ?? [];
      if (meaning !== undefined && lastMessage === '') lastMessage = message.trim();
      for (const [first, what, next] of SUFFIXES) {
        const found = first.exec(line);
        if (found) [meaning, lastMessage, more] = [what, found[1]!.trim(), next];
      }
    },
    message: () => (meaning === undefined || lastMessage === '' ? meaning : `${meaning}: ${lastMessage}`),
  };
}
