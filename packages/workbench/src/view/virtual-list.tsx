import type { ComponentChildren, HTMLAttributes } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualListProps<T> {
  readonly items: readonly T[];
  /** The height of every row, in pixels. */
  readonly rowHeight: number;
  readonly render: (item: T, index: number) => ComponentChildren;
  readonly class?: string;
  /** The index of a row to scroll to; -1 for none. */
  readonly revealed?: number;
  /** The maximum height in pixels of a list that is as high as its rows. Without it, the list fills the space. */
  readonly maxHeight?: number;
  readonly attributes?: HTMLAttributes<HTMLDivElement>;
}

/** Number of rows that are drawn above and below the visible ones. */
const OVERSCAN = 6;
/** The assumed height of the list before it is measured, in pixels. */
const FIRST_HEIGHT = 800;

/** A list that draws only its visible rows, so that it can have any number of them. */
export function VirtualList<T>({
  items,
  rowHeight,
  render,
  revealed,
  maxHeight,
  attributes,
  ...props
}: VirtualListProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [measuredHeight, setMeasuredHeight] = useState<number>();
  const height = measuredHeight ?? FIRST_HEIGHT;

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setMeasuredHeight(entry.contentRect.height));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);

  // Computes the position instead of reading it from the DOM, which would force a layout before the first paint.
  useLayoutEffect(() => {
    if (revealed === undefined || revealed < 0) return;
    const start = revealed * rowHeight;
    if (start < top) box.current!.scrollTop = start;
    else if (start + rowHeight > top + height) box.current!.scrollTop = start + rowHeight - height;
  }, [revealed, rowHeight, measuredHeight === undefined]);

  const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN);
  const last = Math.min(items.length, Math.ceil((top + height) / rowHeight) + OVERSCAN);
  const total = items.length * rowHeight;
  return (
    <div
      ref={box}
      class={`virtual ${props.class ?? ''}`}
      style={maxHeight === undefined ? {} : { height: `${Math.min(maxHeight, total)}px` }}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      {...attributes}
    >
      <div class="virtual-space" style={{ height: `${total}px` }}>
        <div class="virtual-rows" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {items.slice(first, last).map((item, index) => render(item, first + index))}
        </div>
      </div>
    </div>
  );
}
