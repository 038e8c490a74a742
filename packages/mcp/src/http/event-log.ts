/** An event that a client may have missed. */
export interface LoggedEvent {
  readonly id: string;
  readonly json: string;
}

interface Entry extends LoggedEvent {
  readonly stream: string;
  readonly number: number;
}

/** How much is kept for clients that come back. */
export interface LogLimits {
  readonly maxBufferedEvents: number;
  /** Of the JSON of all events. */
  readonly maxBufferedBytes: number;
}

const EVENT_ID = /^(\d{1,15})_(\d{1,15})$/;

/**
 * The last events of the streams of one session, for clients that come back (docs/spec/protocol.md#http-streams). Bounded:
 * the oldest events go first.
 */
export class EventLog {
  readonly #limits: LogLimits;
  readonly #entries: Entry[] = [];
  #bytes = 0;
  #lastNumber = 0;

  constructor(limits: LogLimits) {
    this.#limits = limits;
  }

  /** @param json one message, or '' for the event that begins a stream @returns the id of the event */
  add(stream: string, json: string): string {
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    const id = `${stream}_${number}`;
    // An event without a message has nothing that could be missed.
    if (json === '') return id;
    const { maxBufferedEvents, maxBufferedBytes } = this.#limits;
    this.#entries.push({ id, json, stream, number });
    this.#bytes += json.length;
    while (this.#entries.length > maxBufferedEvents || this.#bytes > maxBufferedBytes) {
      this.#bytes -= this.#entries.shift()!.json.length;
    }
    return id;
  }

  /** The stream of an event. @returns undefined for an id that is not one of this session's */
  streamOf(id: string): string | undefined {
    const match = EVENT_ID.exec(id);
    return match !== null && Number(match[2]) <= this.#lastNumber ? match[1] : undefined;
  }

  /** The messages of the event's stream that came after it, the oldest first, as far as they are kept. */
  after(id: string): LoggedEvent[] {
    const [, stream, number] = EVENT_ID.exec(id) ?? [];
    return this.#entries.filter((entry) => entry.stream === stream && entry.number > Number(number));
  }
}
