const MAX_QUOTED_CHARS = 80;

/**
 * A text for a message: in quotes if it is short, otherwise its length. It is never shortened, because messages are
 * redacted later and redaction does not recognise a partial secret.
 */
export function quoted(text: string): string {
  return text.length <= MAX_QUOTED_CHARS ? `'${text}'` : `of ${text.length} characters`;
}

/** A name for a message: the name if it is short, otherwise its length. */
export function shortName(text: string, maxChars = MAX_QUOTED_CHARS): string {
  return text.length <= maxChars ? text : `(a name of ${text.length} characters)`;
}

/** Cuts a text at the end of a word, so that secrets without spaces are kept whole or removed. */
export function cutAtWord(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = text.slice(0, maxChars + 1).search(/\s\S*$/);
  return `${text.slice(0, Math.max(0, end))}…`;
}
