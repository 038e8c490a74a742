/** An event that a client may have missed. */
export interface LoggedEvent {
  readonly id: string;
  readonly json: string;
}

interface Entry extends LoggedEvent {
  readonly stream: string;
  readonly number: number;
}

/**
 * The last events of the streams of one session, for clients that come back (docs/spec/protocol.md#http-streams). Bounded:
 * the oldest events go first.
 */
export class EventLog {
  readonly #maxBytes: number;
  readonly #entries: Entry[] = [];
  #bytes = 0;
  #lastNumber = 0;

  /** @param maxBytes of the JSON of all events that are kept */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @param json one message, or '' for the event that begins a stream @returns the id of the event */
  add(stream: string, json: string): string {
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    const id = `${stream}_${number}`;
    this.#entries.push({ id, json, stream, number });
    this.#bytes += json.length;
    while (this.#bytes > this.#maxBytes && this.#entries.length > 1) this.#bytes -= this.#entries.shift()!.json.length;
    return id;
  }

  /** The stream of an event. @returns undefined for an id that is not one of this session's */
  streamOf(id: string): string | undefined {
    const match = /^(\d+)_(\d{1,15})$/.exec(id);
    return match !== null && Number(match[2]) <= this.#lastNumber ? match[1] : undefined;
  }

  /** The messages of a stream after an event, the oldest first, as far as they are kept. */
  after(id: string): LoggedEvent[] {
    const stream = this.streamOf(id);
    const number = Number(id.slice(id.indexOf('_') + 1));
    return this.#entries.filter((entry) => entry.stream === stream && entry.number > number && entry.json !== '');
  }
}
