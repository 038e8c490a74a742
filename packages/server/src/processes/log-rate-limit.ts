import { LineLimit } from '../util/line-limit.js';

const CHARS_A_SECOND = 32 * 1024;
/** The cost of a line in addition to its characters. */
const LINE_COST = 100;
/** Longer lines are never logged. */
export const MAX_LINE_CHARS = 64 * 1024;

/** Bounds what the log takes from one process: its log lines and what it prints. */
export class LogRateLimit extends LineLimit {
  /** @param onDropped told once a second how many lines were dropped, if any were */
  constructor(onDropped: (lines: number) => void) {
    super({ perInterval: CHARS_A_SECOND, intervalMs: 1000, onDropped });
  }

  override tryTake(chars: number): boolean {
    if (chars <= MAX_LINE_CHARS) return super.tryTake(LINE_COST + chars);
    this.drop();
    return false;
  }
}
