/** An event that a client can fetch again. */
export interface LoggedEvent {
  readonly id: string;
  readonly json: string;
}

interface Entry extends LoggedEvent {
  readonly stream: string;
  readonly number: number;
}

/** The limits of the events that are kept for clients that reconnect. */
export interface LogLimits {
  readonly maxBufferedEvents: number;
  /** The limit for the JSON of all events together. */
  readonly maxBufferedChars: number;
}

const EVENT_ID = /^(\d{1,15})_(\d{1,15})$/;

/**
 * The latest events of all streams of one session, for clients that reconnect (docs/spec/protocol.md#http-streams).
 * Beyond the limits the oldest events are dropped.
 */
export class EventLog {
  readonly #limits: LogLimits;
  readonly #entries: Entry[] = [];
  #chars = 0;
  #lastNumber = 0;

  constructor(limits: LogLimits) {
    this.#limits = limits;
  }

  /** Adds an event. @param json one message, or '' for the event that begins a stream @returns the id of the event */
  add(stream: string, json: string): string {
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    const id = `${stream}_${number}`;
    // An event without a message is not kept: a client that misses it misses nothing.
    if (json === '') return id;
    const { maxBufferedEvents, maxBufferedChars } = this.#limits;
    this.#entries.push({ id, json, stream, number });
    this.#chars += json.length;
    while (this.#entries.length > maxBufferedEvents || this.#chars > maxBufferedChars) {
      this.#chars -= this.#entries.shift()!.json.length;
    }
    return id;
  }

  /** The stream of an event, or undefined if the id is not of this session. */
  streamOf(id: string): string | undefined {
    const match = EVENT_ID.exec(id);
    return match !== null && Number(match[2]) <= this.#lastNumber ? match[1] : undefined;
  }

  /** The kept events of the same stream that are newer than this one, the oldest first. */
  after(id: string): LoggedEvent[] {
    const [, stream, number] = EVENT_ID.exec(id) ?? [];
    return this.#entries.filter((entry) => entry.stream === stream && entry.number > Number(number));
  }
}
