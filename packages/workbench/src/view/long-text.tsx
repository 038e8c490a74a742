import { useMemo } from 'preact/hooks';
import { VirtualList } from './virtual-list.js';

/** Of a longer text, only the visible lines are drawn. */
const MAX_WHOLE_CHARS = 60_000;
const LINE_HEIGHT = 20;
const MAX_HEIGHT = 480;
/** Longer lines are shown in pieces of this length. */
const MAX_LINE_CHARS = 1_000;

export function LongText({ text, label }: { text: string; label: string }) {
  const lines = useMemo(() => (text.length > MAX_WHOLE_CHARS ? linesOf(text) : undefined), [text]);
  if (lines === undefined) {
    return (
      <pre class="text" aria-label={label} tabIndex={0}>
        {text}
      </pre>
    );
  }
  return (
    <VirtualList
      class="text long-text"
      items={lines}
      rowHeight={LINE_HEIGHT}
      maxHeight={MAX_HEIGHT}
      attributes={{ role: 'group', 'aria-label': label, tabIndex: 0 }}
      render={(line, index) => (
        <div key={index} class="text-line">
          {line || ' '}
        </div>
      )}
    />
  );
}

function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (line.length <= MAX_LINE_CHARS) lines.push(line);
    else for (let at = 0; at < line.length; at += MAX_LINE_CHARS) lines.push(line.slice(at, at + MAX_LINE_CHARS));
  }
  return lines;
}
