import { endianness } from 'node:os';

const IS_BIG_ENDIAN = endianness() === 'BE';
const BYTES_PER_CHAR = 2;
const SHORT_CHARS = 32_768;
const short = Buffer.alloc(SHORT_CHARS * BYTES_PER_CHAR);
const shortCodes = codesIn(short);

/**
 * A text with the codes of its characters, which are read several times as fast from here as from a string. Short ones
 * share their memory: of these only the newest may be read.
 */
export class Text {
  readonly length: number;

  constructor(
    readonly string: string,
    readonly codes = codesOf(string),
  ) {
    this.length = string.length;
  }
}

function codesOf(string: string): Uint16Array {
  const bytes = string.length > SHORT_CHARS ? Buffer.allocUnsafeSlow(string.length * BYTES_PER_CHAR) : short;
  const written = bytes.write(string, 'utf16le');
  if (IS_BIG_ENDIAN) bytes.subarray(0, written).swap16();
  return bytes === short ? shortCodes : codesIn(bytes);
}

/** The string of these codes, which are lost by it. */
export function utf16String(codes: Uint16Array): string {
  const bytes = Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength);
  if (IS_BIG_ENDIAN) bytes.swap16();
  return bytes.toString('utf16le');
}

function codesIn(bytes: Buffer): Uint16Array {
  return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / BYTES_PER_CHAR);
}
