import type { Client, Transport } from '@modelcontextprotocol/client';
import { httpAnswer, SESSION_NOT_FOUND } from './rpc-errors.js';

/** The first pause before the stream is opened again. It doubles after each failure. */
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;

/** The error with which the SDK gives up on a stream. */
const GAVE_UP = /^Maximum reconnection attempts/;

interface Resumable extends Transport {
  resumeStream(lastEventId: string): Promise<void>;
}

/**
 * Keeps the stream of notifications of a server open (2025-11-25 over HTTP). After the stream was lost, the SDK tries to
 * open it twice, and then never again.
 * @param onLost called if the session has expired on the server
 */
export function keepNotificationStreamOpen(
  client: Client,
  transport: Transport,
  ended: Promise<unknown>,
  onLost: () => void,
): void {
  if (!('resumeStream' in transport)) return;
  let pauseMs = FIRST_PAUSE_MS;
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });

  const openAgain = async () => {
    if (isOver) return;
    try {
      // Without an event id this opens a new stream instead of resuming one.
      await (transport as Resumable).resumeStream('');
      pauseMs = FIRST_PAUSE_MS;
    } catch (error) {
      const status = httpAnswer(error as Error)?.status;
      if (status === SESSION_NOT_FOUND) onLost();
      // The server is not reachable yet. Other statuses mean that it has no such stream, or that it is already open.
      else if (status === undefined || Number(status) >= 500) openAfterPause();
    }
  };
  const openAfterPause = () => {
    setTimeout(() => void openAgain(), pauseMs).unref();
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  };
  client.onerror = (error) => {
    if (!isOver && GAVE_UP.test(error.message)) openAfterPause();
  };
}
