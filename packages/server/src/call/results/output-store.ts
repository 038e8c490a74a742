import { randomBytes } from 'node:crypto';
import type { FullOutput, ResourceContents } from '@mortise/plugin';
import { LOCAL } from '../../core/principal.js';
import type { Caller } from '../../core/server-api.js';
import type { SharedOutputs } from '../../state/shared-outputs.js';

const RETENTION_MS = 3_600_000;
const MAX_CHARS = 64 * 1024 * 1024;
const PAGE_CHARS = 100_000;

export const OUTPUTS_URI = 'mortise://outputs/';

/** A text that is stored only if a result refers to it. */
export class StoredText {
  /** The link to the stored text; undefined if it is not stored. */
  reference: FullOutput | undefined;

  /** @param text computes the text if it must be stored */
  constructor(
    private readonly text: () => string,
    private readonly outputs: Pick<OutputStore, 'store'>,
  ) {}

  /** Stores the text on the first call, and returns the link to it. */
  refer(): FullOutput {
    if (!this.reference) {
      const text = this.text();
      this.reference = { uri: this.outputs.store(text), chars: text.length };
    }
    return this.reference;
  }
}

/** Keeps the redacted full output of calls whose results were shortened, for at most one hour. */
export interface OutputTable {
  /** Returns the outputs of one principal, which cannot read those of others (docs/spec/access.md#ownership). */
  of(principalName: string, onWrite?: OnWrite): OutputStore;
}

/** The outputs of one principal. */
export interface OutputStore {
  /** @returns the URI of the stored output */
  store(text: string, media?: readonly StoredMedia[]): string;
  /**
   * Returns a page of 100,000 characters from `?offset=`; the first page also has the media. Returns undefined if the
   * output does not exist or has expired.
   */
  read(uri: string): ResourceContents[] | undefined;
  /**
   * Makes an output that another replica has stored readable here. Absent without other replicas.
   * @throws StateUnavailableError
   */
  fetch?(uri: string): Promise<void>;
}

/** Called when an output is stored for other replicas. It can be read there when the promise resolves. */
export type OnWrite = (write: Promise<void>) => void;

/** An image, a sound or another file, as base64. */
export interface StoredMedia {
  readonly mimeType?: string;
  readonly blob: string;
}

interface StoredOutput {
  owner: string;
  text: string;
  media: readonly StoredMedia[];
  storedAt: number;
}

export const outputsOf = (
  outputs: OutputTable,
  { principal = LOCAL }: Pick<Caller, 'principal'>,
  onWrite?: OnWrite,
): OutputStore => outputs.of(principal.name, onWrite);

export interface OutputTableOptions {
  readonly now?: () => number;
  /** The outputs that all replicas share. Default: this is the only replica. */
  readonly shared?: Pick<SharedOutputs, 'put' | 'get'> | undefined;
}

export function createOutputTable({ now = Date.now, shared }: OutputTableOptions = {}): OutputTable {
  const outputs = new Map<string, StoredOutput>();
  let totalChars = 0;

  const isExpired = ({ storedAt }: StoredOutput) => now() - storedAt > RETENTION_MS;

  /** Removes expired outputs, and the oldest ones above MAX_CHARS. The map is in order of storage. */
  function sweep(): void {
    for (const [id, output] of outputs) {
      if (!isExpired(output) && (totalChars <= MAX_CHARS || outputs.size === 1)) break;
      outputs.delete(id);
      totalChars -= charsOf(output);
    }
  }

  function add(id: string, output: StoredOutput): void {
    if (outputs.has(id)) return;
    outputs.set(id, output);
    totalChars += charsOf(output);
    sweep();
  }

  const storeOf = (owner: string, onWrite?: OnWrite): OutputStore => ({
    store(text, media = []) {
      const id = randomBytes(9).toString('base64url');
      const output = { text, media, storedAt: now() };
      add(id, { owner, ...output });
      if (shared) {
        const write = shared.put(owner, id, output);
        onWrite?.(write);
      }
      return OUTPUTS_URI + id;
    },
    read(uri) {
      sweep();
      const { address, id, query } = partsOf(uri);
      const output = outputs.get(id);
      if (output?.owner !== owner || isExpired(output)) return undefined;
      const offset = offsetOf(query);
      const media = offset > 0 ? [] : output.media.map((item) => ({ uri: address, ...item }));
      const hasText = output.text !== '' || media.length === 0;
      return [...(hasText ? readPage({ uri, address, text: output.text, offset }) : []), ...media];
    },
    ...(shared && {
      async fetch(uri: string) {
        const { id } = partsOf(uri);
        const output = await shared.get<StoredMedia>(owner, id);
        if (output) add(id, { owner, ...output });
      },
    }),
  });

  return { of: storeOf };
}

const charsOf = ({ text, media }: StoredOutput): number =>
  media.reduce((sum, { blob }) => sum + blob.length, text.length);

/** The id is '' if the URI is not that of an output. */
function partsOf(uri: string): { address: string; id: string; query: string | undefined } {
  const [address, query] = uri.split('?', 2) as [string, string?];
  return { address, id: address.startsWith(OUTPUTS_URI) ? address.slice(OUTPUTS_URI.length) : '', query };
}

function offsetOf(query: string | undefined): number {
  const offset = Number(new URLSearchParams(query).get('offset') ?? 0);
  return Number.isSafeInteger(offset) && offset > 0 ? offset : 0;
}

interface PageOptions {
  /** The URI as the client wrote it. */
  readonly uri: string;
  /** The URI without its query. */
  readonly address: string;
  readonly text: string;
  readonly offset: number;
}

function readPage({ uri, address, text, offset }: PageOptions): ResourceContents[] {
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

/** Ends the page after a line if its second half has a line end, and never inside a code point. */
function pageEnd(text: string, offset: number): number {
  const end = offset + PAGE_CHARS;
  if (end >= text.length) return text.length;
  const lineEnd = text.lastIndexOf('\n', end - 1);
  if (lineEnd >= offset + PAGE_CHARS / 2) return lineEnd + 1;
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end;
}
