import { fileURLToPath } from 'node:url';
import type { AudioBlock, BlockAnnotations, ImageBlock } from './content.js';
import { readRegularFile } from './regular-file.js';

/** Bytes, or the path or URL of a file: `new URL('chart.png', import.meta.url)` is a file beside the module. */
export type MediaSource = Uint8Array | ArrayBuffer | string | URL;

export interface MediaOptions {
  /** Default: derived from the first bytes, or from the extension of the file. */
  mimeType?: string;
  annotations?: BlockAnnotations;
}

/**
 * Creates an image block: either the result of a tool (`return image(png)`) or a part of it (`ok([image(png), …])`).
 * @throws TypeError if the type is not recognised and no `mimeType` is given; the file's error if it cannot be read
 */
export function image(source: MediaSource, options: MediaOptions = {}): ImageBlock {
  return marked({ type: 'image', ...mediaOf('image', source, options) });
}

/** Creates an audio block for the content of a result. @throws the same errors as {@link image} */
export function audio(source: MediaSource, options: MediaOptions = {}): AudioBlock {
  return marked({ type: 'audio', ...mediaOf('audio', source, options) });
}

/**
 * Marks blocks of `image()` and `audio()`, so that they are never treated as data. The symbol is registered, so that
 * several copies of this package use the same one.
 */
const MEDIA: unique symbol = Symbol.for('mortise.media');

const marked = <B extends object>(block: B): B => Object.defineProperty(block, MEDIA, { value: true });

/** True if `image()` or `audio()` created the block. */
export const isMedia = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as { [MEDIA]?: unknown })[MEDIA] === true;

type Kind = 'image' | 'audio';

function mediaOf(kind: Kind, source: MediaSource, { mimeType, annotations }: MediaOptions) {
  const file = typeof source === 'string' || source instanceof URL ? source : undefined;
  const bytes =
    file === undefined ? bytesOf(kind, source) : readRegularFile(file instanceof URL ? fileURLToPath(file) : file);
  const type = mimeType ?? typeOfBytes(kind, bytes) ?? typeOfName(kind, String(file ?? ''));
  if (type === undefined) {
    const example = kind === 'image' ? 'image/png' : 'audio/wav';
    throw new TypeError(`${kind}() does not recognise the type of the data. Pass { mimeType: '${example}' }.`);
  }
  return { data: bytes.toString('base64'), mimeType: type, ...(annotations && { annotations }) };
}

function bytesOf(kind: Kind, source: unknown): Buffer {
  if (source instanceof Uint8Array) return Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof ArrayBuffer) return Buffer.from(source);
  throw new TypeError(`${kind}() expects bytes, a path or a file URL.`);
}

/** The first bytes of a file of each type, as Latin-1; `.` is any byte. */
const SIGNATURES: Readonly<Record<Kind, readonly [mimeType: string, prefix: RegExp][]>> = {
  image: [
    ['image/png', /^\x89PNG\r\n\x1a\n/],
    ['image/jpeg', /^\xff\xd8\xff/],
    ['image/gif', /^GIF8[79]a/],
    ['image/webp', /^RIFF.{4}WEBP/s],
    ['image/avif', /^.{4}ftypavi[fs]/s],
    ['image/bmp', /^BM.{4}\0{4}/s],
    ['image/svg+xml', /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<svg[\s>]/s],
  ],
  audio: [
    ['audio/wav', /^RIFF.{4}WAVE/s],
    ['audio/mpeg', /^(?:ID3|\xff[\xe2-\xff])/],
    ['audio/ogg', /^OggS/],
    ['audio/flac', /^fLaC/],
    ['audio/mp4', /^.{4}ftyp(?:M4A|mp4|isom)/s],
    ['audio/webm', /^\x1a\x45\xdf\xa3/],
  ],
};
const SIGNATURE_BYTES = 1_024;

function typeOfBytes(kind: Kind, bytes: Buffer): string | undefined {
  const prefix = bytes.toString('latin1', 0, SIGNATURE_BYTES);
  return SIGNATURES[kind].find(([, pattern]) => pattern.test(prefix))?.[0];
}

const TYPES_BY_EXTENSION: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  svg: 'image/svg+xml',
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
};

/** The usual extension of files of this type, without a dot; `bin` if there is none. */
export function extensionOf(mimeType = ''): string {
  const extension = Object.entries(TYPES_BY_EXTENSION).find(([, type]) => type === mimeType)?.[0];
  return extension ?? /^\w+\/(?:x-)?([a-z\d]{1,10})$/.exec(mimeType)?.[1] ?? 'bin';
}

function typeOfName(kind: Kind, name: string): string | undefined {
  const type = TYPES_BY_EXTENSION[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''];
  return type?.startsWith(`${kind}/`) ? type : undefined;
}
