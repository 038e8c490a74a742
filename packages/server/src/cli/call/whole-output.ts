import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CancelSource } from '@mortise/mcp/util';
import type { CallResult, ServerApi } from '../../core/server-api.js';
import { tryOs } from '../../util/ignore-os-errors.js';

const STORED = /mortise:\/\/outputs\/([\w-]+)/;

/** Where the whole of a result that was cut can be read after the server has ended. */
export interface SavedOutput {
  /** Absolute; undefined where nothing was cut, or it could not be written. */
  readonly file?: string;
  /** The text with the file in the place of the URI, which the server answers only while it runs. */
  inText(text: string): string;
}

/** Writes the whole output that a result refers to into a file of the folder for temporary files, which only this user can read. */
export async function saveWholeOutput(result: CallResult, host: ServerApi): Promise<SavedOutput> {
  const [uri, id] = STORED.exec(JSON.stringify(result)) ?? [];
  const text = uri === undefined ? undefined : await readAll(uri, host);
  const file = join(tmpdir(), `mortise-output-${id}.txt`);
  const isWritten = text !== undefined && tryOs(() => writeFileSync(file, text, { flag: 'wx', mode: 0o600 }) ?? true);
  if (!isWritten) return { inText: (text) => text };
  return { file, inText: (text) => text.replaceAll(uri!, () => file) };
}

/** All pages; undefined when there is no such output. */
async function readAll(uri: string, host: ServerApi): Promise<string | undefined> {
  const signal = new CancelSource();
  const texts: string[] = [];
  for (let next: string | undefined = uri; next !== undefined; ) {
    const answer = await host.readResource(next, { signal, clientCapabilities: {}, inputMode: 'ask' });
    if (answer.kind !== 'result') return undefined;
    const [page, following] = answer.contents.flatMap((item) => ('text' in item ? [item] : []));
    // The output has only images or other files.
    if (page === undefined) return undefined;
    texts.push(page.text);
    next = following?.uri;
  }
  return texts.join('');
}
