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
