/**
 * Brings the call that has just begun up to where it can be read, if a long form or a small screen leaves little room for it, and
 * keeps it there while it grows. It stops when the call is at the top, and when the person scrolls.
 */
export function showRun(): void {
  requestAnimationFrame(() => {
    const run = document.querySelector('.run');
    const scroller = run?.closest('.detail');
    if (!run || !scroller || run.getBoundingClientRect().top < innerHeight * 0.6) return;
    let scrolledTo: number | undefined;
    const observer = new ResizeObserver(() => {
      if (!run.isConnected || (scrolledTo !== undefined && scroller.scrollTop !== scrolledTo))
        return observer.disconnect();
      run.scrollIntoView({ block: 'start' });
      scrolledTo = scroller.scrollTop;
      if (run.getBoundingClientRect().top <= scroller.getBoundingClientRect().top) observer.disconnect();
    });
    observer.observe(run);
  });
}
