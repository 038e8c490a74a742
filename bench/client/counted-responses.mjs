const STATUS_OK = Buffer.from('HTTP/1.1 200 ');

/** Counts HTTP responses that are OK by their status lines, without reading them. */
export class CountedResponses {
  total = 0;
  #rest = Buffer.alloc(0);

  /** How many begin in the chunk. */
  count(chunk) {
    const bytes = Buffer.concat([this.#rest, chunk]);
    let found = 0;
    for (let at = bytes.indexOf(STATUS_OK); at >= 0; at = bytes.indexOf(STATUS_OK, at + STATUS_OK.length)) found++;
    this.total += found;
    this.#rest = bytes.subarray(Math.max(0, bytes.length - STATUS_OK.length + 1));
    return found;
  }
}
