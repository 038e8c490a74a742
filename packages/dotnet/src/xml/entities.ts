const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const REFERENCE = /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|([A-Za-z_:\x80-\uFFFF][\w:.\x80-\uFFFF-]*));/y;

export interface BadReference {
  /** The offset in the given text. */
  readonly offset: number;
  readonly detail: string;
}

/**
 * Decodes the character references and the five named entities of XML.
 * @param allowOthers other named entities stay as they are, because a document type can declare them; else they are bad
 * @param normalize applied to the text between references
 * @returns the text, or the first reference that cannot be decoded
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

/** Escapes a text for the content of an element. Line ends stay as they are. */
export function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (char) => ESCAPES[char]!);
}

/** Escapes a text for the value of an attribute in the given quotes. */
export function escapeAttribute(text: string, quote: '"' | "'" = '"'): string {
  return text.replace(/[&<"'\n\r\t]/g, (char) =>
    char === "'" ? (quote === "'" ? '&apos;' : char) : char === '"' && quote === "'" ? char : ESCAPES[char]!,
  );
}
