const NEWLINE = 10;
const CHUNKS_PER_SAMPLE = 64;

/** Counts lines by their ends, without reading them; of some chunks the last whole line is kept, to be read later. */
export class CountedLines {
  total = 0;
  bytes = 0;
  samples = [];
  #chunks = 0;
  #isAtLineStart = true;

  /** How many lines end in the chunk. */
  count(chunk) {
    let lines = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
    this.total += lines;
    this.bytes += chunk.length;
    if (this.#chunks++ % CHUNKS_PER_SAMPLE === 0) this.#keepLine(chunk);
    this.#isAtLineStart = chunk[chunk.length - 1] === NEWLINE;
    return lines;
  }

  #keepLine(chunk) {
    const end = chunk.lastIndexOf(NEWLINE);
    const start = end < 1 ? 0 : chunk.lastIndexOf(NEWLINE, end - 1) + 1;
    if (end > start && (start > 0 || this.#isAtLineStart)) this.samples.push(chunk.toString('utf8', start, end));
  }
}
