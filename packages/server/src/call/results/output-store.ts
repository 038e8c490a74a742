import { randomBytes } from 'node:crypto';
import type { FullOutput, ResourceContents } from '@mortise/plugin';
import { LOCAL } from '../../core/principal.js';
import type { Caller } from '../../core/server-api.js';

const RETENTION_MS = 3_600_000;
const MAX_CHARS = 64 * 1024 * 1024;
const PAGE_CHARS = 100_000;

export const OUTPUTS_URI = 'mortise://outputs/';

/** A text that becomes a run when a result refers to it. */
export class StoredText {
  /** Undefined while nothing refers to it. */
  reference: FullOutput | undefined;

  /** @param text called when a result refers to it, which most do not */
  constructor(
    private readonly text: () => string,
    private readonly outputs: Pick<OutputStore, 'store'>,
  ) {}

  /** The link to it; from now on it is stored. */
  refer(): FullOutput {
    if (!this.reference) {
      const text = this.text();
      this.reference = { uri: this.outputs.store(text), chars: text.length };
    }
    return this.reference;
  }
}

/** The whole output of calls whose result had to leave something out; redacted text, for an hour at most. */
export interface OutputTable {
  /** Those of the calls of one principal: others do not exist for it (docs/spec/access.md#ownership). */
  of(owner: string): OutputStore;
}

/** The outputs of one principal. */
export interface OutputStore {
  /**
   * @param media what the output has beside its text
   * @returns the URI to read it from
   */
  store(text: string, media?: readonly StoredMedia[]): string;
  /**
   * One page of 100,000 characters from `?offset=`, and with the first page the media; undefined for an output that does not
   * exist (any more).
   */
  read(uri: string): ResourceContents[] | undefined;
}

/** An image, a sound or another file, as base64. */
export interface StoredMedia {
  readonly mimeType?: string;
  readonly blob: string;
}

interface StoredOutput {
  owner: string;
  text: string;
  media: readonly StoredMedia[];
  chars: number;
  storedAt: number;
}

/** What the principal of a call has stored. */
export const outputsOf = (outputs: OutputTable, { principal = LOCAL }: Pick<Caller, 'principal'>): OutputStore =>
  outputs.of(principal.name);

export function createOutputTable(now: () => number = Date.now): OutputTable {
  const stores = new Map<string, OutputStore>();
  const outputs = new Map<string, StoredOutput>();
  let chars = 0;

  function remove(id: string, run: StoredOutput): void {
    outputs.delete(id);
    chars -= run.chars;
  }

  function sweep(): void {
    for (const [id, run] of outputs) {
      const isOld = now() - run.storedAt > RETENTION_MS;
      if (!isOld && (chars <= MAX_CHARS || outputs.size === 1)) break;
      remove(id, run);
    }
  }

  const storeOf = (owner: string): OutputStore => ({
    store(text, media = []) {
      const id = randomBytes(9).toString('base64url');
      const size = media.reduce((sum, { blob }) => sum + blob.length, text.length);
      outputs.set(id, { owner, text, media, chars: size, storedAt: now() });
      chars += size;
      sweep();
      return OUTPUTS_URI + id;
    },
    read(uri) {
      sweep();
      const [address, query] = uri.split('?', 2) as [string, string?];
      const run = address.startsWith(OUTPUTS_URI) ? outputs.get(address.slice(OUTPUTS_URI.length)) : undefined;
      if (run?.owner !== owner) return undefined;
      const offset = offsetOf(query);
      const media = offset > 0 ? [] : run.media.map((item) => ({ uri: address, ...item }));
      const isText = run.text !== '' || media.length === 0;
      return [...(isText ? page(uri, address, run.text, offset) : []), ...media];
    },
  });

  return {
    of(owner) {
      const store = stores.get(owner) ?? storeOf(owner);
      stores.set(owner, store);
      return store;
    },
  };
}

function offsetOf(query: string | undefined): number {
  const offset = Number(new URLSearchParams(query).get('offset') ?? 0);
  return Number.isSafeInteger(offset) && offset > 0 ? offset : 0;
}

function page(uri: string, address: string, text: string, offset: number): ResourceContents[] {
  const end = pageEnd(text, offset);
  const contents: ResourceContents[] = [{ uri, mimeType: 'text/plain', text: text.slice(offset, end) }];
  if (end < text.length) {
    const next = `${address}?offset=${end}`;
    contents.push({
      uri: next,
      mimeType: 'text/plain',
      text: `… ${text.length - end} of ${text.length} characters follow: read ${next}`,
    });
  }
  return contents;
}

/** A page ends after a line if possible, and never inside a code point. */
function pageEnd(text: string, offset: number): number {
  const end = offset + PAGE_CHARS;
  if (end >= text.length) return text.length;
  const lineEnd = text.lastIndexOf('\n', end - 1);
  if (lineEnd >= offset + PAGE_CHARS / 2) return lineEnd + 1;
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end;
}
