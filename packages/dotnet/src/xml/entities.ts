const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const REFERENCE = /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|([A-Za-z_:\x80-\uFFFF][\w:.\x80-\uFFFF-]*));/y;

/** A reference that cannot be decoded, and its offset in the text that was given. */
export interface BadReference {
  readonly offset: number;
  readonly detail: string;
}

/**
 * The text with its character references and the five named entities of XML decoded, or what is wrong with it.
 * Other named entities are left unchanged if `allowOthers` is set (a document type can declare them); text that is not a
 * reference is passed through `normalize`.
 */
export function decodeEntities(
  text: string,
  allowOthers: boolean,
  normalize: (literal: string) => string,
): string | BadReference {
  let decoded = '';
  let position = 0;
  for (;;) {
    const offset = text.indexOf('&', position);
    if (offset < 0) return decoded + normalize(text.slice(position));
    REFERENCE.lastIndex = offset;
    const match = REFERENCE.exec(text);
    if (!match) return { offset, detail: "'&' must be written as '&amp;'" };
    const [entity, hex, decimal, name] = match;
    const value = name === undefined ? character(hex, decimal) : (NAMED[name] ?? (allowOthers ? entity : undefined));
    if (value === undefined) return { offset, detail: `'${entity.slice(0, 40)}' is not a valid character reference` };
    decoded += normalize(text.slice(position, offset)) + value;
    position = offset + entity.length;
  }
}

function character(hex: string | undefined, decimal: string | undefined): string | undefined {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code >= 1 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#xA;',
  '\r': '&#xD;',
  '\t': '&#x9;',
};

/** The text as the content of an element. Line ends stay as they are. */
export function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (char) => ESCAPES[char]!);
}

/** The text as an attribute's value in double or single quotes. */
export function escapeAttribute(text: string, quote: '"' | "'" = '"'): string {
  return text.replace(/[&<"'\n\r\t]/g, (char) =>
    char === "'" ? (quote === "'" ? '&apos;' : char) : char === '"' && quote === "'" ? char : ESCAPES[char]!,
  );
}
