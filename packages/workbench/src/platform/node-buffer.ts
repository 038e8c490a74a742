/** The bytes of Node's Buffer, with what `@mortise/redact` needs of it and with the same results. */
class BufferBytes extends Uint8Array {
  /** @returns how many bytes were written; of UTF-8 never a part of a character */
  write(text: string, ...rest: (number | string)[]): number {
    if (rest.at(-1) !== 'utf16le') {
      return new TextEncoder().encodeInto(text, this.subarray(Number(rest[0] ?? 0))).written;
    }
    const units = new Uint16Array(this.buffer, this.byteOffset, Math.min(text.length, this.byteLength >> 1));
    for (let at = 0; at < units.length; at += 1) units[at] = text.charCodeAt(at);
    return units.byteLength;
  }

  override toString(encoding = 'utf8', start = 0, end = this.length): string {
    const bytes = this.subarray(start, end);
    if (encoding !== 'latin1') return new TextDecoder().decode(bytes);
    let text = '';
    for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
    return text;
  }
}

const CHUNK = 8_192;

function fromText(text: string): BufferBytes {
  const buffer = new BufferBytes(text.length);
  for (let at = 0; at < text.length; at += 1) buffer[at] = text.charCodeAt(at);
  return buffer;
}

/** As Node reads it: the URL's alphabet too, what is neither is skipped, and the padding ends it. */
function fromBase64(text: string): BufferBytes {
  const start = text.replace(/=.*$/s, '').replaceAll('-', '+').replaceAll('_', '/');
  const clean = start.replace(/[^A-Za-z0-9+/]/g, '');
  return fromText(atob(clean.length % 4 === 1 ? clean.slice(0, -1) : clean));
}

const allocate = (size: number) => new BufferBytes(size);

function from(source: ArrayBuffer | string, offsetOrEncoding?: number | string, length?: number): BufferBytes {
  if (typeof source !== 'string') return new BufferBytes(source, offsetOrEncoding as number, length);
  return offsetOrEncoding === 'base64' ? fromBase64(source) : fromText(source);
}

/** In the place of Node's Buffer. */
export const browserBuffer = { alloc: allocate, allocUnsafe: allocate, allocUnsafeSlow: allocate, from };
