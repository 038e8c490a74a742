/**
 * The order of the messages of one sender, of which a large one is parsed while others come: what comes after it waits for it,
 * unless it may overtake.
 */
export class MessageOrder<T> {
  readonly #isOvertaking: (message: T) => boolean;
  /** Resolves when all that wait now are received; undefined if none does. */
  #last: Promise<void> | undefined;

  /** @param isOvertaking whether a message does not wait for those before it; by default each does */
  constructor(isOvertaking: (message: T) => boolean = () => false) {
    this.#isOvertaking = isOvertaking;
  }

  /** Resolves when all messages so far are received; undefined if they are. */
  get idle(): Promise<void> | undefined {
    return this.#last;
  }

  /** Calls `receive` when it is the message's turn: at once for most. Rejects or throws with what `receive` does. */
  add(message: T | Promise<T>, receive: (message: T) => void | Promise<void>): void | Promise<void> {
    const isParsed = !(message instanceof Promise);
    if (isParsed && (this.#last === undefined || this.#isOvertaking(message))) return receive(message);
    const received = this.#receiveLater(message, this.#last, receive);
    const last = received.then(ignore, ignore).then(() => {
      if (this.#last === last) this.#last = undefined;
    });
    this.#last = last;
    return received;
  }

  async #receiveLater(
    message: T | Promise<T>,
    before: Promise<void> | undefined,
    receive: (message: T) => void | Promise<void>,
  ): Promise<void> {
    const parsed = await message;
    await before;
    await receive(parsed);
  }
}

const ignore = () => {};
