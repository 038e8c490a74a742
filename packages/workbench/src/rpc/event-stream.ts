/** Reads the data of the events of a `text/event-stream` one after the other. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  let data: string[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop()!;
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
