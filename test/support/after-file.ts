const ends: (() => void)[] = [];

/**
 * Does something after the last test of the file that runs now. Modules that tests import outlive a file, and an
 * `afterAll` of theirs would be called after the first one alone.
 */
export const afterFile = (end: () => void): void => void ends.push(end);

/** test/support/setup.ts calls it after each file. */
export function endFile(): void {
  for (const end of ends.splice(0).reverse()) end();
}

/** Does something, at once, when the process that runs test files ends. vitest ends it by SIGTERM, and by SIGKILL half a second later. */
export function atProcessEnd(end: () => unknown): void {
  process.once('SIGTERM', end);
}
