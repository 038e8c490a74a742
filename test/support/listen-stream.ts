import { onTestFinished } from 'vitest';
import { type Raw, requestMeta } from './raw-stdio.js';
import { waitFor } from './wait-for.js';
import type { Finished } from './workplace.js';

/** An open `subscriptions/listen` request of 2026-07-28. */
export interface ListenStream {
  /** The messages so far. */
  readonly messages: readonly Raw[];
  /** All that was sent, as text. */
  text(): string;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
}

/** Opens the request, and resolves when it is acknowledged. */
export async function openListenStream(
  url: string,
  notifications: Raw,
  { key, capabilities, finished = onTestFinished }: { key?: string; capabilities?: object; finished?: Finished } = {},
): Promise<ListenStream> {
  const abort = new AbortController();
  finished(() => abort.abort());
  const method = 'subscriptions/listen';
  const response = await fetch(url, {
    method: 'POST',
    signal: abort.signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method },
      params: { notifications, _meta: requestMeta(capabilities) },
    }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const messages: Raw[] = [];
  let text = '';
  let parsed = 0;
  const decoder = new TextDecoder();
  const read = async () => {
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk, { stream: true });
      for (let end = text.indexOf('\n\n', parsed); end >= 0; end = text.indexOf('\n\n', parsed)) {
        const line = text
          .slice(parsed, end)
          .split('\n')
          .find((part) => part.startsWith('data: {'));
        if (line) messages.push(JSON.parse(line.slice(6)));
        parsed = end + 2;
      }
    }
  };
  const ended = read().catch(() => {});
  await waitFor(() => messages.length > 0);
  return { messages, text: () => text, ended };
}
