import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { BusyPoll } from '../src/busy-poll.js';

const itPolls = it.skipIf(availableParallelism() === 1);

/** In milliseconds; never that of the machine. */
let now = 1000;

function create() {
  let waiting: (() => void) | undefined;
  const poll = new BusyPoll(
    () => now,
    (turn) => {
      expect(waiting).toBeUndefined();
      waiting = turn;
    },
  );
  const after = (ms: number) => {
    now += ms;
    return poll;
  };
  return {
    after,
    isAwake: () => waiting !== undefined,
    /** The event loop turns. */
    turn(ms: number) {
      now += ms;
      const turn = waiting;
      waiting = undefined;
      turn?.();
    },
    /** Messages and their answers, one after the other for so long; then a message. */
    converse(ms = 6) {
      for (const until = now + ms; now < until; ) {
        after(0.2).sent();
        after(0.2).received();
      }
      return after(0.2).sent();
    },
  };
}

it('sleeps between calls that come now and then', () => {
  const { after, isAwake } = create();
  for (let i = 0; i < 5; i++) {
    expect(after(50).sent()).toBe(false);
    expect(isAwake()).toBe(false);
    after(0.2).received();
  }
});

itPolls('stays awake in a conversation, until the answer', () => {
  const { after, isAwake, turn, converse } = create();
  expect(converse()).toBe(true);
  for (let i = 0; i < 3; i++) {
    turn(0.1);
    expect(isAwake()).toBe(true);
  }
  after(0.1).received();
  turn(0);
  expect(isAwake()).toBe(false);
});

itPolls('stays awake for the next message where that is wanted', () => {
  const { after, isAwake, turn, converse } = create();
  converse();
  after(0.1).received();
  expect(after(0).isConversation).toBe(true);
  after(0).stay();
  turn(0.1);
  expect(isAwake()).toBe(true);
  after(0.1).sent();
  after(0.1).received();
  turn(0);
});

itPolls('waits no longer than a millisecond, and then sleeps until there is a conversation again', () => {
  const { after, isAwake, turn, converse } = create();
  converse();
  for (let i = 0; i < 5; i++) turn(0.3);
  expect(isAwake()).toBe(false);
  after(10).received();
  expect(after(0.1).sent()).toBe(false);
  expect(converse()).toBe(true);
  after(0.1).received();
});

itPolls('sleeps while several speak', () => {
  const one = create();
  const other = create();
  for (let i = 0; i < 100; i++) {
    expect(one.after(0.1).sent()).toBe(false);
    expect(other.after(0.1).sent()).toBe(false);
    one.after(0.1).received();
    other.after(0.1).received();
  }
  expect(one.converse(4)).toBe(false);
  expect(one.converse(2)).toBe(true);
  one.after(0.1).received();
});

itPolls('stays awake beside a longer call of somebody else', () => {
  const one = create();
  const other = create();
  other.after(0).sent();
  expect(one.converse()).toBe(true);
  other.after(0.1).received();
  expect(one.after(0.1).sent()).toBe(false);
  one.after(0.1).received();
});

itPolls('rests where others take the core meanwhile, longer each time, up to two seconds', () => {
  const { after, isAwake, turn, converse } = create();
  /** How long it sleeps after it was kept waiting for its turn, in steps of half a millisecond. */
  const rest = () => {
    turn(3);
    let steps = 0;
    for (; !isAwake(); steps++) {
      after(0.25).received();
      after(0.25).sent();
    }
    return steps * 0.5;
  };
  converse();
  const rests = Array.from({ length: 12 }, rest);
  expect(rests[0]).toBeLessThan(7);
  for (const [index, each] of rests.slice(1, 8).entries()) expect(each).toBeGreaterThan(rests[index]! * 1.5);
  expect(rests.at(-1)).toBeGreaterThan(1900);
  expect(rests.at(-1)).toBeLessThan(2010);
  after(0).received();
});
