/** The methods of Node's Buffer that `@mortise/redact` uses, with the same results. */
class BufferBytes extends Uint8Array {
  /**
   * Writes a text as UTF-8, or as UTF-16 if the last argument is `utf16le`.
   * @returns the number of bytes written; UTF-8 characters are never cut
   */
  write(text: string, ...offsetAndEncoding: (number | string)[]): number {
    if (offsetAndEncoding.at(-1) !== 'utf16le') {
      return new TextEncoder().encodeInto(text, this.subarray(Number(offsetAndEncoding[0] ?? 0))).written;
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

/**
 * Decodes Base64 as Node does: `-` and `_` of the URL alphabet are accepted, other characters are skipped, and the
 * first `=` ends the data.
 */
function fromBase64(text: string): BufferBytes {
  const unpadded = text.replace(/=.*$/s, '').replaceAll('-', '+').replaceAll('_', '/');
  const clean = unpadded.replace(/[^A-Za-z0-9+/]/g, '');
  return fromText(atob(clean.length % 4 === 1 ? clean.slice(0, -1) : clean));
}

const allocate = (size: number) => new BufferBytes(size);

function from(source: ArrayBuffer | string, offsetOrEncoding?: number | string, length?: number): BufferBytes {
  if (typeof source !== 'string') return new BufferBytes(source, offsetOrEncoding as number, length);
  return offsetOrEncoding === 'base64' ? fromBase64(source) : fromText(source);
}

/** Stands in for Node's `Buffer` in the browser. */
export const browserBuffer = { alloc: allocate, allocUnsafe: allocate, allocUnsafeSlow: allocate, from };
