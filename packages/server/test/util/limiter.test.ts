import { expect, it } from 'vitest';
import { createLimiter } from '../../src/util/limiter.js';

it('lets so many run at once, the others in order, whatever becomes of each', async () => {
  const limited = createLimiter(2);
  const began: number[] = [];
  const ends: (() => void)[] = [];
  const work = (index: number) =>
    limited(async () => {
      began.push(index);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (index === 0) throw new Error('it failed');
      return index;
    });
  const all = Promise.allSettled([0, 1, 2, 3].map(work));
  const settle = async () => {
    for (let i = 0; i < 10; i++) await Promise.resolve();
  };
  await settle();
  expect(began).toEqual([0, 1]);
  ends[0]!();
  await settle();
  expect(began).toEqual([0, 1, 2]);
  ends[1]!();
  await settle();
  expect(began).toEqual([0, 1, 2, 3]);
  for (const end of ends) end();
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
});
