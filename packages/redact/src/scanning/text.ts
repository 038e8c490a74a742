import { endianness } from 'node:os';

/** What every character beyond ASCII is in the codes of a text. */
export const BEYOND_ASCII = 0x80;

/** A look no further than this beyond a text's end sees NUL there. */
export const CHARS_BEYOND_END = 16;

/** One more than a character takes in UTF-8: of a text beyond ASCII there are more bytes than characters, even where they do not all fit. */
const SPARE_BYTES = 4;
const IS_BIG_ENDIAN = endianness() === 'BE';
const SHORT_CHARS = 32_768;
const short = Buffer.alloc(SHORT_CHARS + CHARS_BEYOND_END);
const shortUtf16 = new Uint16Array(SHORT_CHARS);

/**
 * A text with the codes of its characters, a byte each, which are read several times as fast from here as from a
 * string. Short ones share their memory: of these only the newest may be read.
 */
export class Text {
  readonly length: number;
  /** NUL beyond the end. */
  readonly codes: Uint8Array;
  readonly isAscii: boolean;

  /** @param own codes that are those of the string already, with NUL beyond its end */
  constructor(
    readonly string: string,
    own?: Buffer,
  ) {
    const { length } = string;
    if (own) {
      this.isAscii = !own.includes(BEYOND_ASCII);
      this.length = length;
      this.codes = own;
      return;
    }
    const codes = length > SHORT_CHARS ? Buffer.allocUnsafeSlow(length + CHARS_BEYOND_END) : short;
    this.isAscii = codes.write(string, 0, length + SPARE_BYTES, 'utf8') === length;
    if (!this.isAscii) writeCodes(string, codes);
    codes.fill(0, length, length + CHARS_BEYOND_END);
    this.length = length;
    this.codes = codes;
  }
}

function writeCodes(string: string, codes: Uint8Array): void {
  const { length } = string;
  const utf16 = length > SHORT_CHARS ? new Uint16Array(length) : shortUtf16;
  const bytes = Buffer.from(utf16.buffer, 0, length * Uint16Array.BYTES_PER_ELEMENT);
  bytes.write(string, 'utf16le');
  if (IS_BIG_ENDIAN) bytes.swap16();
  for (let at = 0; at < length; at++) codes[at] = Math.min(utf16[at]!, BEYOND_ASCII);
}
