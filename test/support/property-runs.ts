/** How many times longer properties and what is repeated are tried; `TEST_RUNS=10` for a long run (CONTRIBUTING.md). */
const FACTOR = Number(process.env.TEST_RUNS ?? 1);

/** So many runs in `npm test`, and more in a long run. */
export const runs = (count: number): number => Math.ceil(count * FACTOR);
