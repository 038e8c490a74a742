import { endianness } from 'node:os';

const BYTES_PER_CHAR = 2;
const SHORT_CHARS = 32_768;
const short = Buffer.alloc(SHORT_CHARS * BYTES_PER_CHAR);

/**
 * A text with the codes of its characters, which are read several times as fast from here as from a string. Short ones
 * share their memory: of these only the newest may be read.
 */
export class Text {
  readonly length: number;
  readonly codes: Uint16Array;

  constructor(readonly string: string) {
    this.length = string.length;
    const bytes = string.length > SHORT_CHARS ? Buffer.allocUnsafeSlow(string.length * BYTES_PER_CHAR) : short;
    const written = bytes.write(string, 'utf16le');
    if (endianness() === 'BE') bytes.subarray(0, written).swap16();
    this.codes = bytes === short ? shortCodes : codesIn(bytes);
  }
}

const shortCodes = codesIn(short);

function codesIn(bytes: Buffer): Uint16Array {
  return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / BYTES_PER_CHAR);
}
