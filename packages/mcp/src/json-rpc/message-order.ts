import type { Inbound } from './messages.js';

/**
 * The order of one client's messages, of which a large one is parsed while others come. Requests do not wait for it. What has
 * no response does: a cancellation finds the request that was sent before it (docs/spec/protocol.md#large-messages).
 */
export class MessageOrder {
  /** Resolves when all that wait now are received; undefined if none does. */
  #last: Promise<void> | undefined;

  /** Resolves when all messages so far are received; undefined if they are. */
  get idle(): Promise<void> | undefined {
    return this.#last;
  }

  /** Calls `receive` when it is the message's turn: at once for most. Rejects or throws with what `receive` does. */
  add(message: Inbound | Promise<Inbound>, receive: (message: Inbound) => void | Promise<void>): void | Promise<void> {
    const isParsed = !(message instanceof Promise);
    if (isParsed && (this.#last === undefined || isOvertaking(message))) return receive(message);
    const received = this.#receiveLater(message, this.#last, receive);
    const last = received.then(ignore, ignore).then(() => {
      if (this.#last === last) this.#last = undefined;
    });
    this.#last = last;
    return received;
  }

  async #receiveLater(
    message: Inbound | Promise<Inbound>,
    before: Promise<void> | undefined,
    receive: (message: Inbound) => void | Promise<void>,
  ): Promise<void> {
    const parsed = await message;
    await before;
    await receive(parsed);
  }
}

const isOvertaking = ({ kind }: Inbound): boolean => kind !== 'notification' && kind !== 'response';

const ignore = () => {};
