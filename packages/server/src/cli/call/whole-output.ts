import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CancelSource } from '@mortise/mcp/util';
import type { CallResult, ServerApi } from '../../core/server-api.js';
import { tryOs } from '../../util/ignore-os-errors.js';

const OUTPUT_URI = /mortise:\/\/outputs\/([\w-]+)/;

/** A file with the complete output of a shortened result, which can be read after the server has ended. */
export interface SavedOutput {
  /** Absolute path; undefined if the result is complete, or if the file could not be written. */
  readonly file?: string;
  /** Replaces the URI of the output by the file, because the URI can be read only while the server runs. */
  inText(text: string): string;
}

/** Writes the complete output that a result refers to into a temporary file that only this user can read. */
export async function saveWholeOutput(result: CallResult, server: ServerApi): Promise<SavedOutput> {
  const [uri, id] = OUTPUT_URI.exec(JSON.stringify(result)) ?? [];
  const text = uri === undefined ? undefined : await readAll(uri, server);
  const file = join(tmpdir(), `mortise-output-${id}.txt`);
  const isWritten = text !== undefined && tryOs(() => writeFileSync(file, text, { flag: 'wx', mode: 0o600 }) ?? true);
  if (!isWritten) return { inText: (text) => text };
  return { file, inText: (text) => text.replaceAll(uri!, () => file) };
}

/** Reads all pages of an output; returns undefined if it does not exist or has no text. */
async function readAll(uri: string, server: ServerApi): Promise<string | undefined> {
  const signal = new CancelSource();
  const texts: string[] = [];
  for (let nextUri: string | undefined = uri; nextUri !== undefined; ) {
    const answer = await server.readResource(nextUri, { signal, clientCapabilities: {}, inputMode: 'ask' });
    if (answer.kind !== 'result') return undefined;
    const [page, nextPage] = answer.contents.flatMap((item) => ('text' in item ? [item] : []));
    // Without text the output has only images or other files.
    if (page === undefined) return undefined;
    texts.push(page.text);
    nextUri = nextPage?.uri;
  }
  return texts.join('');
}
