// string-argv splits too, and says nothing of what a person has to correct: an open quote, a backslash at the end, what a shell would act on.

/** A string of arguments that cannot be split. The message is a predicate of the string: `ends with a backslash`. */
export class ArgumentsError extends Error {
  override readonly name = 'ArgumentsError';
  constructor(
    readonly reason: 'invalid characters' | 'invalid format',
    message: string,
    /** How to write it instead: an imperative without a full stop. */
    readonly remedy: string,
    /** The position in the string, counted from 0. */
    readonly offset: number,
  ) {
    super(message);
  }
}

/** What a shell would act on, and we do not: a text with one of these was written for a shell. */
const METACHARACTERS = new Set(';|&`$()<>');
/** What a backslash takes the meaning from inside double quotes, as in POSIX shells; before others it stays. */
const ESCAPED_IN_QUOTES = new Set('"\\$`');

/**
 * Splits as a POSIX shell does, without one: white space separates, `'…'` is literal, in `"…"` and outside of quotes a
 * backslash takes a character's meaning. Quotes group, they need not begin an argument (`--name="a b"`).
 * @throws {@link ArgumentsError} for an unquoted metacharacter, an unclosed quote, a backslash at the end
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

/** The text of the quotes that open at `start`, and the place of the closing one. */
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
