import type { WriteStream } from 'node:tty';
import type { ProgressReport } from '@mortise/plugin';
import { visibleText } from '../../util/visible-text.js';
import { firstLine } from '../shared/format-text.js';

export interface ProgressLine {
  show(report: ProgressReport): void;
  /** Takes the line away, so that something else can be written. */
  clear(): void;
}

const BAR_COLUMNS = 20;
/** Used if the width of the terminal is unknown. */
const DEFAULT_COLUMNS = 80;
const ERASE_LINE = '\r\u001B[2K';

/** Progress as one line that is written again; nothing when the stream is not a terminal. */
export function createProgressLine(stream: WriteStream): ProgressLine {
  let isVisible = false;
  return {
    show(report) {
      if (!stream.isTTY) return;
      isVisible = true;
      stream.write(ERASE_LINE + firstLine(visibleText(progressText(report)), (stream.columns || DEFAULT_COLUMNS) - 1));
    },
    clear() {
      if (!isVisible) return;
      isVisible = false;
      stream.write(ERASE_LINE);
    },
  };
}

/** A bar if there is a total, or else the amount done. */
function progressText({ done, total, message = '' }: ProgressReport): string {
  if (total === undefined) return `[${done}] ${message}`;
  const percent = Math.min(100, Math.max(0, (done / total) * 100));
  const filled = Math.round((percent / 100) * BAR_COLUMNS);
  const bar = '#'.repeat(filled) + '-'.repeat(BAR_COLUMNS - filled);
  return `[${bar}] ${String(Math.floor(percent)).padStart(3)}% ${message}`;
}
