import { setTimeout as delay } from 'node:timers/promises';

/** The places that prepared requests need for it. */
export const UNREAD_BATCH = 1000;
const POLL_MS = 500;

/**
 * Sends so many requests at once and reads nothing, until `isSettled(sent)` resolves to true; then reads all responses.
 * @param streams where requests go and responses come from, which is paused; `ended` rejects when the server ends
 * @param received counts responses (`count(chunk)`, `total`)
 * @returns how many were sent before the first was read
 */
export async function sendUnread({ output, input, ended }, { requests, received, calls, isSettled }) {
  let sent = 0;
  const sendAll = async () => {
    for (; sent < calls; sent += UNREAD_BATCH)
      await new Promise((resolve) => requests.writeTo(output, UNREAD_BATCH, resolve));
  };
  const allSent = sendAll();
  while (!(await isSettled(sent))) await Promise.race([ended, delay(POLL_MS)]);
  const sentUnread = sent;
  const allRead = new Promise((resolve) => {
    input.on('data', (chunk) => {
      received.count(chunk);
      if (received.total === calls) resolve();
    });
  });
  input.resume();
  await Promise.race([Promise.all([allSent, allRead]), ended]);
  return sentUnread;
}
