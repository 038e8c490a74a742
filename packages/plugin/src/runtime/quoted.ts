const MAX_QUOTED_CHARS = 80;

/**
 * A text for a message: the whole text if it is short, or else its length. Never a part of it, because messages are redacted later and a
 * part of a secret is not recognised.
 */
export function quoted(text: string): string {
  return text.length <= MAX_QUOTED_CHARS ? `'${text}'` : `of ${text.length} characters`;
}

/** The same for a name. */
export function shortName(text: string, maxChars = MAX_QUOTED_CHARS): string {
  return text.length <= maxChars ? text : `(a name of ${text.length} characters)`;
}

/** The beginning of a text, up to the end of a word: no secret without spaces is cut. */
export function beginning(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = text.slice(0, maxChars + 1).search(/\s\S*$/);
  return `${text.slice(0, Math.max(0, end))}…`;
}
