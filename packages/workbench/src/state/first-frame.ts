/** A page in the background gets no frames: it waits this long instead, in milliseconds. */
const NO_FRAME_MS = 100;

/** Resolves after the next frame. */
export function nextFrame(): Promise<unknown> {
  return Promise.race([new Promise(requestAnimationFrame).then(() => wait(0)), wait(NO_FRAME_MS)]);
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Resolves when what is in the HTML has been drawn. The frame passes while the components are loaded and compiled. */
export const firstFrame = nextFrame();
