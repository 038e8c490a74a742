import type { WriteStream } from 'node:tty';
import type { ProgressReport } from '@mortise/plugin';
import { visibleText } from '../../util/visible-text.js';
import { firstLine } from '../shared/format-text.js';

export interface ProgressLine {
  show(report: ProgressReport): void;
  /** Erases the line, so that something else can be written. */
  clear(): void;
}

const BAR_COLUMNS = 20;
/** The assumed width of a terminal that does not tell its width. */
const DEFAULT_COLUMNS = 80;
const ERASE_LINE = '\r\u001B[2K';

/** Shows progress on a single line that is overwritten. Shows nothing if the stream is not a terminal. */
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

function progressText({ done, total, message = '' }: ProgressReport): string {
  if (total === undefined) return `[${done}] ${message}`;
  const percent = Math.min(100, Math.max(0, (done / total) * 100));
  const doneColumns = Math.round((percent / 100) * BAR_COLUMNS);
  const bar = '#'.repeat(doneColumns) + '-'.repeat(BAR_COLUMNS - doneColumns);
  return `[${bar}] ${String(Math.floor(percent)).padStart(3)}% ${message}`;
}
