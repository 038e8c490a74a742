import { expect, it } from 'vitest';
import { type Slot, SlotQueue } from '../../src/util/slot-queue.js';

const settle = async () => {
  for (let i = 0; i < 10; i++) await Promise.resolve();
};

/** Four works of which two run at a time. Each ends when its function of `ends` is called; the first one fails then. */
function start() {
  const slots = new SlotQueue({ maxRunning: 2 });
  const began: number[] = [];
  const held: Slot[] = [];
  const ends: (() => void)[] = [];
  const work = (index: number) =>
    slots.run(async (slot) => {
      began.push(index);
      held.push(slot);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (index === 0) throw new Error('it failed');
      return index;
    });
  return { slots, began, held, ends, all: Promise.allSettled([0, 1, 2, 3].map(work)) };
}

it('runs a limited number of works at a time, the others in order, whatever becomes of each', async () => {
  const { slots, began, ends, all } = start();
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
  expect([slots.running, slots.waiting]).toEqual([0, 0]);
});

it('gives the slot of a work that releases it early to the next one, once', async () => {
  const { slots, began, held, ends, all } = start();
  await settle();
  held[0]!.release();
  held[0]!.release();
  await settle();
  expect(began).toEqual([0, 1, 2]);
  ends[0]!();
  await settle();
  expect([began, slots.running]).toEqual([[0, 1, 2], 2]);
  ends[1]!();
  await settle();
  for (const end of ends) end();
  await all;
  expect([began, slots.running]).toEqual([[0, 1, 2, 3], 0]);
});
