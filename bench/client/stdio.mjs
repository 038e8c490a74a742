import { startProcess } from './process.mjs';
import { checkEcho, paramsFor } from './protocol.mjs';

const NEWLINE = 10;
/** How much the ids of two calls may differ in length. */
const ID_BYTES = 8;

/**
 * A client that costs as little as it can: what it needs is the same for every server. Times end when a line is
 * complete, before it is parsed.
 */
export function connectStdio(command, version) {
  const server = startProcess(command);
  const { stdin, stdout } = server.child;
  const waiting = new Map();
  const listeners = new Map();
  let lastId = 0;
  let pieces = [];

  const lineOf = (method, params) =>
    `"method":${JSON.stringify(method)},"params":${JSON.stringify(paramsFor(version, params))}}\n`;

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
  server.ended.catch((error) => {
    for (const { reject } of waiting.values()) reject(error);
  });

  return {
    version,
    pid: server.pid,
    stop: server.stop,
    request(method, params = {}) {
      const id = ++lastId;
      const startedAt = performance.now();
      stdin.write(`{"jsonrpc":"2.0","id":${id},${lineOf(method, params)}`);
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
    /** Keeps so many calls going until all are answered, and gives the milliseconds. Lines are counted, not parsed. */
    async pump(params, { calls, inFlight }) {
      const tail = lineOf('tools/call', params);
      let toSend = calls;
      let toCome = calls;
      let received = 0;
      let last;
      const send = (count) => {
        let lines = '';
        for (let index = 0; index < count; index++) lines += `{"jsonrpc":"2.0","id":${++lastId},${tail}`;
        toSend -= count;
        if (count > 0) stdin.write(lines);
      };
      const startedAt = performance.now();
      let count;
      const done = new Promise((resolve) => {
        count = (chunk) => {
          let lines = 0;
          for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
          received += chunk.length;
          toCome -= lines;
          if (toCome > 0) return send(Math.min(lines, toSend));
          last = chunk;
          resolve(performance.now() - startedAt);
        };
      });
      stdout.off('data', readLines).on('data', count);
      send(Math.min(inFlight, calls));
      try {
        return await Promise.race([done, server.ended]);
      } finally {
        stdout.off('data', count).on('data', readLines);
        if (last) checkEchoes(last, received / calls);
      }
    },
  };
}

/** The last response is an echo, and all others are as long as it is. */
function checkEchoes(chunk, meanBytes) {
  const end = chunk.length - 1;
  const line = chunk.subarray(chunk.lastIndexOf(NEWLINE, end - 1) + 1, end);
  checkEcho({ message: JSON.parse(line.toString('utf8')) });
  if (Math.abs(line.length - meanBytes) > ID_BYTES) throw new Error(`Not only echoes: ${meanBytes} bytes at the mean`);
}
