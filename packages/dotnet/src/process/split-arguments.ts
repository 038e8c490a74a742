// The package string-argv does not report mistakes: an open quote, a backslash at the end, a metacharacter of a shell.

/** Thrown for a string that cannot be split. The message is a predicate of the string: `ends with a backslash`. */
export class ArgumentsError extends Error {
  override readonly name = 'ArgumentsError';
  constructor(
    readonly reason: 'invalid characters' | 'invalid format',
    message: string,
    /** The correction, as an imperative without a full stop. */
    readonly remedy: string,
    /** The position of the mistake in the string, counted from 0. */
    readonly offset: number,
  ) {
    super(message);
  }
}

/**
 * Characters that only a shell interprets. A text that has one of them unquoted was written for a shell, so it is
 * refused.
 */
const METACHARACTERS = new Set(';|&`$()<>');
/**
 * The characters that a backslash escapes inside double quotes, as in POSIX shells. Before others it stands for itself.
 */
const ESCAPED_IN_QUOTES = new Set('"\\$`');

/**
 * Splits a text into arguments by the rules of POSIX shells. White space separates arguments, `'…'` is literal, and in
 * `"…"` and outside of quotes a backslash escapes a character. Quotes can begin inside an argument (`--name="a b"`).
 * @throws {@link ArgumentsError} for an unquoted metacharacter, an unclosed quote, or a backslash at the end
 */
export function splitArguments(text: string): string[] {
  const args: string[] = [];
  let current: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (/\s/.test(char)) {
      if (current !== undefined) args.push(current);
      current = undefined;
    } else if (char === "'" || char === '"') {
      const quoted = parseQuoted(text, at);
      current = (current ?? '') + quoted.value;
      at = quoted.end;
    } else if (char === '\\') {
      at += 1;
      if (at === text.length) throw endsWithBackslash(at - 1);
      current = (current ?? '') + text[at];
    } else if (METACHARACTERS.has(char)) {
      throw new ArgumentsError('invalid characters', 'contains invalid characters', `Put '${char}' into quotes`, at);
    } else {
      current = (current ?? '') + char;
    }
  }
  if (current !== undefined) args.push(current);
  return args;
}

/** Reads the text in the quotes that open at `start`. `end` is the position of the closing quote. */
function parseQuoted(text: string, start: number): { value: string; end: number } {
  const quote = text[start]!;
  let value = '';
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]!;
    if (char === quote) return { value, end: at };
    const isEscape = quote === '"' && char === '\\' && ESCAPED_IN_QUOTES.has(text[at + 1] ?? '');
    if (isEscape) at += 1;
    value += text[at];
  }
  throw new ArgumentsError('invalid format', `has an unclosed ${quote}`, `Close the ${quote}`, start);
}

function endsWithBackslash(offset: number): ArgumentsError {
  return new ArgumentsError('invalid format', 'ends with a backslash', 'Write \\\\ for a backslash', offset);
}
