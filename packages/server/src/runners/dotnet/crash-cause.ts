/** By what .NET prints first when it ends a process: what that means. Behind it, or on the next line, are its words. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/^Unhandled exception\.\s*(.*)$/, 'an exception was not caught'],
  [/^Process terminated\.\s*(.*)$/, 'it ended itself by Environment.FailFast'],
  [/^Stack overflow\.\s*(.*)$/, 'its stack overflowed'],
  [/^Out of memory\.\s*(.*)$/, 'it ran out of memory'],
];

/** Finds in what a .NET process prints why it ended: it says so before a stack trace of any length. */
export interface CrashCause {
  hear(line: string): void;
  /** Undefined as long as nothing was said. */
  words(): string | undefined;
}

export function createCrashCause(): CrashCause {
  let meaning: string | undefined;
  let said = '';
  return {
    hear(line) {
      if (meaning !== undefined && said === '' && !/^\s+at /.test(line)) said = line.trim();
      for (const [pattern, words] of ENDINGS) {
        const found = pattern.exec(line);
        if (found) [meaning, said] = [words, found[1]!.trim()];
      }
    },
    words: () => (meaning === undefined || said === '' ? meaning : `${meaning}: ${said}`),
  };
}
