import { endianness } from 'node:os';

/** The code of every character beyond ASCII in a `Text`. */
export const BEYOND_ASCII = 0x80;

/** The number of codes after a text's end that are readable and are NUL. */
export const CHARS_BEYOND_END = 16;

/**
 * More than a character takes in UTF-8, so that a text beyond ASCII always writes more bytes than it has characters.
 */
const SPARE_BYTES = 4;
const IS_BIG_ENDIAN = endianness() === 'BE';
const SHORT_CHARS = 32_768;
const short = Buffer.alloc(SHORT_CHARS + CHARS_BEYOND_END);
const shortUtf16 = new Uint16Array(SHORT_CHARS);

/**
 * A text and the codes of its characters, one byte each, which are several times faster to read than those of a string.
 * Short texts share their memory, so only the newest of them can be read.
 */
export class Text {
  readonly length: number;
  /** The code of each character, followed by CHARS_BEYOND_END times NUL. */
  readonly codes: Uint8Array;
  readonly isAscii: boolean;

  /** @param own the codes of the string if they exist already, followed by CHARS_BEYOND_END times NUL */
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
