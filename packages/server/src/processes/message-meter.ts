import { type LimitViolation, limitViolation, moreThan } from '../settings/limit-violation.js';
import type { PluginLimits } from '../settings/plugin-limits.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;

/** Measures a message of JSON while its bytes arrive, before it is parsed: many small values take longest to parse. */
export class MessageMeter {
  readonly #limits: PluginLimits;
  readonly #subject: string;
  #bytes = 0;
  #values = 0;
  #isInText = false;
  #isEscaped = false;

  /** @param subject for messages: `The result` */
  constructor(limits: PluginLimits, subject: string) {
    this.#limits = limits;
    this.#subject = subject;
  }

  /** Why the message is refused, as soon as it is known. */
  add(piece: Uint8Array): LimitViolation | undefined {
    const { MessageBytes, MessageValues } = this.#limits;
    this.#bytes += piece.length;
    if (this.#bytes > MessageBytes) return this.#violationOf('MessageBytes');
    this.#count(piece);
    return this.#values > MessageValues ? this.#violationOf('MessageValues') : undefined;
  }

  /** The same for a message that is there as a whole, with how much it has: of the plugin's own process, which can count to the end. */
  whole(message: Uint8Array): LimitViolation | undefined {
    const { MessageBytes, MessageValues } = this.#limits;
    if (message.length > MessageBytes)
      return limitViolation(this.#limits, 'MessageBytes', this.#subject, message.length);
    this.#count(message);
    if (this.#values <= MessageValues) return undefined;
    return limitViolation(this.#limits, 'MessageValues', this.#subject, this.#values);
  }

  /** The next message begins. */
  reset(): void {
    this.#bytes = 0;
    this.#values = 0;
    this.#isInText = false;
    this.#isEscaped = false;
  }

  #violationOf(limit: 'MessageBytes' | 'MessageValues'): LimitViolation {
    return limitViolation(this.#limits, limit, this.#subject, moreThan(this.#limits[limit]));
  }

  /** Commas and brackets outside of texts; in local variables, because this is done for every byte. */
  #count(piece: Uint8Array): void {
    let values = 0;
    let isInText = this.#isInText;
    let isEscaped = this.#isEscaped;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!;
      if (isEscaped) isEscaped = false;
      else if (isInText) {
        if (byte === QUOTE) isInText = false;
        else if (byte === BACKSLASH) isEscaped = true;
      } else if (byte === QUOTE) isInText = true;
      else if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) values += 1;
    }
    this.#values += values;
    this.#isInText = isInText;
    this.#isEscaped = isEscaped;
  }
}
