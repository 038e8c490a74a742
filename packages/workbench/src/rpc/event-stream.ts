/**
 * Yields the data of each event of a `text/event-stream`. A line can be megabytes long and arrive in many chunks, so
 * each chunk is scanned for line ends only once.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let unfinished: string[] = [];
  let data: string[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const [lineEnd, ...nextLines] = value.split('\n');
    unfinished.push(lineEnd!);
    if (nextLines.length === 0) continue;
    const lines = [unfinished.join(''), ...nextLines.slice(0, -1)];
    unfinished = [nextLines.at(-1)!];
    for (const line of lines) {
      const text = line.endsWith('\r') ? line.slice(0, -1) : line;
      if (text === '') {
        if (data.length > 0) yield data.join('\n');
        data = [];
      } else if (text.startsWith('data:')) {
        data.push(text.slice(text[5] === ' ' ? 6 : 5));
      }
    }
  }
}
