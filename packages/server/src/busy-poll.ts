import { availableParallelism } from 'node:os';

/** Messages that follow each other this closely, in milliseconds, are a conversation; the next is waited for no longer. */
const SOON_MS = 1;
/** For this long, in milliseconds, nobody else has spoken: longer calls of others, which say nothing meanwhile, do not count. */
const SOLE_MS = 5;
/** A turn of the event loop that takes this long, in milliseconds: somebody else had the core meanwhile, and needs it. */
const LATE_MS = 1;
/** How long nothing is polled after that, in milliseconds: twice as long each time, and a little less with each message. */
const SHORTEST_REST_MS = 5;
const LONGEST_REST_MS = 2000;
const REST_DECAY = 0.97;

/** Whoever stays awake on the only core keeps it from the process that is waited for. */
const CAN_POLL = availableParallelism() > 1;

/** With whom this process exchanged its last message, and since when with nobody else. */
let speaker: BusyPoll | undefined;
let soleSince = 0;

/**
 * Busy polling between two processes in conversation. To wake up a process that sleeps, and a core with nothing to do,
 * takes longer than a call (BENCHMARKS.md, `hop`). So where one message follows the other within a millisecond, the event
 * loop turns without sleeping until the next, for at most that millisecond. It costs nothing where calls come now and
 * then. It rests where others need the cores, and while several speak: then there is always somebody awake.
 */
export class BusyPoll {
  #spokeAt = 0;
  #wasSoon = false;
  #isConversation = false;
  /** 0 while nothing is polled. */
  #until = 0;
  #turnedAt = 0;
  #isTurning = false;
  #restMs = SHORTEST_REST_MS;
  #restUntil = 0;
  readonly #now: () => number;
  readonly #nextTurn: (turn: () => void) => void;

  /** @param nextTurn calls back in the next turn of the event loop, which does not sleep before */
  constructor(now = () => performance.now(), nextTurn: (turn: () => void) => void = setImmediate) {
    this.#now = now;
    this.#nextTurn = nextTurn;
  }

  /** A message goes to the other process, which will answer it. Gives whether it is waited for without sleeping. */
  sent(): boolean {
    this.#spoke();
    return this.#isConversation && this.stay();
  }

  /** The answer has come, or never will. */
  received(): void {
    this.#spoke();
    this.#until = 0;
  }

  /** One message that is answered at once is none yet. */
  get isConversation(): boolean {
    return this.#isConversation;
  }

  /** Does not sleep until {@link received} or {@link sent}, or a millisecond has gone by. False where it would hurt. */
  stay(): boolean {
    const now = this.#now();
    if (!CAN_POLL || now - soleSince < SOLE_MS || now < this.#restUntil) return false;
    this.#until = now + SOON_MS;
    this.#turnedAt = now;
    if (!this.#isTurning) this.#nextTurn(this.#turn);
    this.#isTurning = true;
    return true;
  }

  #spoke(): void {
    const now = this.#now();
    if (speaker !== this) soleSince = now;
    speaker = this;
    const isSoon = now - this.#spokeAt < SOON_MS;
    this.#isConversation = isSoon && this.#wasSoon;
    this.#spokeAt = now;
    this.#wasSoon = isSoon;
    if (this.#until > 0) this.#restMs = Math.max(SHORTEST_REST_MS, this.#restMs * REST_DECAY);
  }

  readonly #turn = () => {
    const now = this.#now();
    const isLate = now - this.#turnedAt >= LATE_MS;
    if (isLate && this.#until > 0) {
      this.#restUntil = now + this.#restMs;
      this.#restMs = Math.min(LONGEST_REST_MS, this.#restMs * 2);
    }
    this.#turnedAt = now;
    this.#isTurning = !isLate && now < this.#until;
    if (this.#isTurning) this.#nextTurn(this.#turn);
    else this.#until = 0;
  };
}
