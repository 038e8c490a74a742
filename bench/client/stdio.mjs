import { CountedLines } from './counted-lines.mjs';
import { Load } from './load.mjs';
import { createIds, PreparedRequests } from './prepared-requests.mjs';
import { startProcess } from './process.mjs';
import { paramsFor } from './protocol.mjs';
import { sendUnread, UNREAD_BATCH } from './unread-load.mjs';

const NEWLINE = 10;
const PREPARED_LINES = 1024;

/**
 * A client that costs as little as it can: what it needs is the same for every server. Times end when a line is
 * complete, before it is parsed.
 */
export function connectStdio(command, version) {
  const server = startProcess(command);
  const { stdin, stdout } = server.child;
  const waiting = new Map();
  const listeners = new Map();
  const nextId = createIds();
  let pieces = [];

  /** What comes before and after the id. */
  const lineOf = (method, params) => [
    '{"jsonrpc":"2.0","id":',
    `,"method":${JSON.stringify(method)},"params":${JSON.stringify(paramsFor(version, params))}}\n`,
  ];

  function readLine(line) {
    const at = performance.now();
    const message = JSON.parse(line.toString('utf8'));
    if (message.method !== undefined) return listeners.get(message.method)?.(at);
    waiting.get(message.id)?.resolve({ message, at, bytes: line.length });
    waiting.delete(message.id);
  }

  function readLines(chunk) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      pieces.push(chunk.subarray(start, end));
      start = end + 1;
      const line = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
      pieces = [];
      readLine(line);
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  }
  stdout.on('data', readLines);
  let endError;
  server.ended.catch((error) => {
    endError = error;
    for (const { reject } of waiting.values()) reject(error);
  });

  return {
    version,
    pid: server.pid,
    stop: server.stop,
    async request(method, params = {}) {
      if (endError !== undefined) throw endError;
      const id = nextId();
      const startedAt = performance.now();
      stdin.write(lineOf(method, params).join(id));
      return new Promise((resolve, reject) => {
        const settle = ({ message, at, bytes }) => resolve({ message, bytes, ms: at - startedAt });
        waiting.set(id, { resolve: settle, reject });
      });
    },
    notify(method) {
      stdin.write(`{"jsonrpc":"2.0","method":"${method}"}\n`);
    },
    /** The moment at which the next such notification comes. */
    notified(method) {
      const response = new Promise((resolve) => {
        listeners.set(method, (at) => {
          listeners.delete(method);
          resolve(at);
        });
      });
      return Promise.race([response, server.ended]);
    },
    /**
     * Sends the same request again and again, as the load says. Responses are counted by the ends of their lines: each must
     * be as long as the first, which is checked as some others are.
     */
    async pump({ method, params, check }, limits) {
      const first = await this.request(method, params);
      check(first);
      const requests = new PreparedRequests(lineOf(method, params), { places: PREPARED_LINES, nextId });
      const received = new CountedLines();
      const load = new Load(limits);
      const read = (chunk) => {
        const next = load.answer(received.count(chunk));
        if (next > 0) requests.writeTo(stdin, next);
      };
      stdout.off('data', readLines).on('data', read);
      requests.writeTo(stdin, load.start());
      try {
        const result = await Promise.race([load.done, server.ended]);
        if (received.bytes !== result.calls * (first.bytes + 1))
          throw new Error(`Not all are like ${first.bytes} bytes`);
        for (const line of received.samples) check({ message: JSON.parse(line) });
        return result;
      } finally {
        stdout.off('data', read).on('data', readLines);
      }
    },
    /**
     * Sends so many requests at once and reads nothing, until `isSettled(sent)` resolves to true; then reads all responses.
     * Gives how many were sent before the first was read.
     */
    async sendUnread({ method, params, check }, { calls, isSettled }) {
      stdout.off('data', readLines).pause();
      const requests = new PreparedRequests(lineOf(method, params), { places: UNREAD_BATCH, nextId });
      const received = new CountedLines();
      const streams = { output: stdin, input: stdout, ended: server.ended };
      const sentUnread = await sendUnread(streams, { requests, received, calls, isSettled });
      for (const line of received.samples) check({ message: JSON.parse(line) });
      return sentUnread;
    },
  };
}
