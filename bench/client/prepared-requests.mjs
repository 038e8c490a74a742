const ID_DIGITS = 8;
const FIRST_ID = 10 ** (ID_DIGITS - 1);
const ZERO = 48;

/** As long as every id. */
export const ID_PLACE = '0'.repeat(ID_DIGITS);

/** Ids of eight digits, each once, for all requests of a client: requests and responses of one kind are equally long. */
export function createIds() {
  let last = FIRST_ID;
  return () => ++last;
}

/**
 * Requests of one kind as bytes that are made once; only the id is written into them. The bytes of a request
 * are used again for the one that comes as many requests later as there are places: by then it must have been sent.
 */
export class PreparedRequests {
  #bytes;
  #requestBytes;
  #idEnd;
  #places;
  #nextId;
  #next = 0;

  /** @param request what comes before and after the id */
  constructor([before, after], { places, nextId }) {
    const request = Buffer.from(before + ID_PLACE + after);
    this.#requestBytes = request.length;
    this.#idEnd = Buffer.byteLength(before) + ID_DIGITS;
    this.#bytes = Buffer.alloc(request.length * places, request);
    this.#places = places;
    this.#nextId = nextId;
  }

  /** Writes so many requests: in one piece, or in two at the end of the places. `onSent` is called for each piece. */
  writeTo(stream, count, onSent) {
    for (let left = count; left > 0; ) {
      const first = this.#next;
      const end = Math.min(first + left, this.#places);
      for (let place = first; place < end; place++) this.#putId(place);
      stream.write(this.#bytes.subarray(first * this.#requestBytes, end * this.#requestBytes), onSent);
      this.#next = end === this.#places ? 0 : end;
      left -= end - first;
    }
  }

  #putId(place) {
    let rest = this.#nextId();
    const end = place * this.#requestBytes + this.#idEnd;
    for (let at = end - 1; at >= end - ID_DIGITS; at--) {
      const digit = rest % 10;
      this.#bytes[at] = ZERO + digit;
      rest = (rest - digit) / 10;
    }
  }
}
