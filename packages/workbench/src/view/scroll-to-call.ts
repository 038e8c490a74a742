/**
 * Scrolls to the call that has just started, if it begins in the lower part of the window, and continues while the call
 * grows. Scrolling stops when the call is at the top, or when the user scrolls.
 */
export function scrollToCall(): void {
  requestAnimationFrame(() => {
    const call = document.querySelector('.call');
    const scroller = call?.closest('.detail');
    if (!call || !scroller || call.getBoundingClientRect().top < innerHeight * 0.6) return;
    let scrolledTo: number | undefined;
    const observer = new ResizeObserver(() => {
      if (!call.isConnected || (scrolledTo !== undefined && scroller.scrollTop !== scrolledTo))
        return observer.disconnect();
      call.scrollIntoView({ block: 'start' });
      scrolledTo = scroller.scrollTop;
      if (call.getBoundingClientRect().top <= scroller.getBoundingClientRect().top) observer.disconnect();
    });
    observer.observe(call);
  });
}
