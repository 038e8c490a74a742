import { hasMoreValues } from '@mortise/mcp/util';
import type { PluginLimits } from '../../settings/plugin-limits.js';
import { readMessage } from './read-message.js';

const NEWLINE = 10;
const RETURN = 13;
const EVENT_END = /\r?\n\r?\n/;

type Limits = Pick<PluginLimits, 'MessageBytes' | 'MessageValues'>;

/**
 * A `fetch` that limits messages as the stdio transport does. A body, or one event of a stream, that is too large ends the
 * answer with an error.
 */
export const boundedFetch =
  (limits: Limits) =>
  async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    const { body, status, statusText, headers } = response;
    if (!body || status < 200) return response;
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const bounded = body.pipeThrough(isStream ? boundedEvents(limits) : boundedBody(limits));
    const answer = new Response(bounded, { status, statusText, headers });
    return Object.assign(answer, { json: () => parseBody(answer, limits) });
  };

async function parseBody(response: Response, { MessageValues }: Limits): Promise<unknown> {
  const text = await response.text();
  if (hasMoreValues(text, MessageValues)) throw tooMany(MessageValues);
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.map(readable) : readable(value);
}

/** Reads a message, or returns it unchanged if it cannot be read, so that the SDK refuses it. */
function readable(value: unknown): unknown {
  const read = readMessage(value);
  return read && 'message' in read ? read.message : value;
}

function boundedBody({ MessageBytes }: Limits): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > MessageBytes) controller.error(tooLong(MessageBytes));
      else controller.enqueue(chunk);
    },
  });
}

/** Passes on only complete events, so that each is checked before the SDK parses it. */
function boundedEvents({ MessageBytes, MessageValues }: Limits): TransformStream<Uint8Array, Uint8Array> {
  /** The chunks of the incomplete event. */
  let parts: Uint8Array[] = [];
  let bytes = 0;
  let isLineEmpty = false;
  return new TransformStream({
    transform(chunk, controller) {
      let end = 0;
      for (const [index, byte] of chunk.entries()) {
        if (byte === NEWLINE && isLineEmpty) end = index + 1;
        if (byte !== RETURN) isLineEmpty = byte === NEWLINE;
      }
      if (end > 0) {
        const events = Buffer.concat([...parts, chunk.subarray(0, end)]);
        const texts = events.toString('latin1').split(EVENT_END);
        if (texts.some(({ length }) => length > MessageBytes)) return controller.error(tooLong(MessageBytes));
        if (texts.some((text) => hasMoreValues(text, MessageValues))) return controller.error(tooMany(MessageValues));
        controller.enqueue(events);
        parts = [];
        bytes = 0;
      }
      parts.push(chunk.subarray(end));
      bytes += chunk.length - end;
      if (bytes > MessageBytes) controller.error(tooLong(MessageBytes));
    },
    flush(controller) {
      for (const part of parts) controller.enqueue(part);
    },
  });
}

const tooLong = (bytes: number) =>
  new Error(`It sent a message of more than ${bytes} bytes (Plugins.Limits.MessageBytes)`);
const tooMany = (values: number) =>
  new Error(`It sent a message of more than ${values} values (Plugins.Limits.MessageValues)`);
