/** Reads the data of the events of a `text/event-stream` one after the other. A line may be megabytes long: each part is looked at once. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let unfinished: string[] = [];
  let data: string[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const [end, ...others] = value.split('\n');
    unfinished.push(end!);
    if (others.length === 0) continue;
    const lines = [unfinished.join(''), ...others.slice(0, -1)];
    unfinished = [others.at(-1)!];
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
