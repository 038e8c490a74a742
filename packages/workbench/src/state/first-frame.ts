/** The longest wait for a frame. A background tab gets no frames. */
const MAX_FRAME_MS = 100;

export function nextFrame(): Promise<unknown> {
  return Promise.race([new Promise(requestAnimationFrame).then(() => wait(0)), wait(MAX_FRAME_MS)]);
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Resolves when the browser has drawn the HTML of the page. The components are loaded and compiled meanwhile. */
export const firstFrame = nextFrame();
