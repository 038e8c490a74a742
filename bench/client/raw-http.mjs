import { once } from 'node:events';
import { connect } from 'node:net';

const READ_BYTES = 64 * 1024;
const RESPONSES_PER_SAMPLE = 64;
const HEAD_END = Buffer.from('\r\n\r\n');
const CHUNKS_END = Buffer.from('\r\n0\r\n\r\n');
const STATUS_AT = 'HTTP/1.1 '.length;
const STATUS_OK = '200';
const CR = 13;
const ZERO = 48;

/**
 * A connection that stays open, with one request at a time on it. A response is not parsed: its end is found by
 * `Content-Length` or as the end of the last chunk. The first, those of another length than the first, and some others are
 * given to `check` as text.
 */
export class RawConnection {
  #socket;
  #isComplete;
  #check;
  #onResponse;
  #onError;
  #partial;
  #bytes;
  #responses = 0;
  #samples = [];

  constructor({ host, port, check, onResponse, onError }) {
    this.#check = check;
    this.#onResponse = onResponse;
    this.#onError = onError;
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    this.#socket = connect({
      ...{ host, port, noDelay: true },
      onread: { buffer, callback: (length) => this.#read(buffer.subarray(0, length)) },
    });
    this.#socket.on('error', onError).on('end', () => onError(new Error('The server has closed a connection')));
  }

  opened = () => once(this.#socket, 'connect');

  /** Where requests are written to. */
  get stream() {
    return this.#socket;
  }

  /** @throws Error what `check` throws for a response that was kept */
  checkSamples() {
    for (const text of this.#samples) this.#check(text);
  }

  close() {
    this.#socket.destroy();
  }

  #read(bytes) {
    const response = this.#partial === undefined ? bytes : Buffer.concat([this.#partial, bytes]);
    try {
      this.#isComplete ??= endOf(response);
      if (!this.#isComplete?.(response)) this.#partial = Buffer.from(response);
      else this.#finish(response);
    } catch (error) {
      this.#onError(error);
    }
    return true;
  }

  #finish(response) {
    this.#partial = undefined;
    this.#bytes ??= response.length;
    const isOk = response.latin1Slice(STATUS_AT, STATUS_AT + STATUS_OK.length) === STATUS_OK;
    if (!isOk) throw new Error(`Not OK: ${response.subarray(0, 1000)}`);
    if (response.length !== this.#bytes || this.#responses % RESPONSES_PER_SAMPLE === 0)
      this.#samples.push(bodyOf(response));
    this.#responses++;
    this.#onResponse(this);
  }
}

/** How the end of responses with such a head is found; undefined when the head is not complete. */
function endOf(response) {
  const headBytes = response.indexOf(HEAD_END);
  if (headBytes < 0) return undefined;
  const head = response.toString('latin1', 0, headBytes);
  const field = /\r\ncontent-length: */i.exec(head)?.[0];
  if (field === undefined) return endsWithLastChunk;
  const lengthField = Buffer.from(field);
  return (bytes) => hasContentLength(bytes, lengthField);
}

const endsWithLastChunk = (response) =>
  response.length > CHUNKS_END.length &&
  response.compare(CHUNKS_END, 0, CHUNKS_END.length, response.length - CHUNKS_END.length) === 0;

function hasContentLength(response, field) {
  const headEnd = response.indexOf(HEAD_END);
  if (headEnd < 0) return false;
  let length = 0;
  for (let at = response.indexOf(field) + field.length; response[at] !== CR; at++)
    length = length * 10 + response[at] - ZERO;
  return response.length >= headEnd + HEAD_END.length + length;
}

/** The body as text, without the lengths of its chunks. */
function bodyOf(response) {
  const headEnd = response.indexOf(HEAD_END);
  const head = response.toString('latin1', 0, headEnd);
  const body = response.subarray(headEnd + HEAD_END.length);
  return (/\r\ntransfer-encoding: *chunked/i.test(head) ? withoutChunks(body) : body).toString('utf8');
}

function withoutChunks(body) {
  const chunks = [];
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf('\r\n', at);
    const length = Number.parseInt(body.toString('latin1', at, lineEnd), 16);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(body.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
}
