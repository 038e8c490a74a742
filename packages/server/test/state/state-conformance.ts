import { expect, test } from 'vitest';
import {
  MAX_COLLECTION_VALUES,
  MAX_LIST_VALUES,
  MAX_MEMBERS,
  MAX_VALUE_CHARS,
  type StateStore,
  StateTooLargeError,
} from '../../src/state/state-store.js';
import type { Stores } from './state-stores.js';

const KEY = { group: 'task:1', name: 'task' };
const LONG = { ttlMs: 600_000, leaseMs: 600_000 };
/** Its lease is over when the next operation begins, or a little later. */
const SHORT_LEASE = { ttlMs: 600_000, leaseMs: 1 };
/** The second attempt succeeds. */
const TAKE = { ttlMs: 600_000, doubtMs: 0 };

const INBOX = { ...KEY, name: 'inbox' };

const written = (...messages: string[]) => ({ status: 'written', messages });

/** So many at the same time that a slow store answers all of them in time. */
const BATCH = 64;

async function inBatches(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const length = Math.min(BATCH, count - from);
    await Promise.all(Array.from({ length }, (_, at) => work(from + at)));
  }
}

/** What every store of shared state does (docs/spec/shared.md#entries). */
export function testConformance(open: () => Promise<Stores>): void {
  test('an entry is created once, and read by each replica with its token', async () => {
    const { first, second } = await open();
    expect(await second.get(KEY)).toBeUndefined();
    expect(await first.create(KEY, 'ä "one"', LONG)).toBe(true);
    expect(await second.create(KEY, 'two', LONG)).toBe(false);
    expect(await second.get(KEY)).toEqual({ value: 'ä "one"', token: 1, isLeased: true });
    expect(await second.get({ ...KEY, name: 'other' })).toBeUndefined();
    expect(await second.get({ ...KEY, group: 'task:2' })).toBeUndefined();
  });

  test('an entry without a lease is never taken over', async () => {
    const { first, second } = await open();
    await first.create(KEY, 'one', { ttlMs: 600_000 });
    expect(await second.get(KEY)).toEqual({ value: 'one', token: 1, isLeased: false });
    expect(await second.takeOver(KEY, 1, 'two', TAKE)).toBe(false);
    expect(await first.write(KEY, 1, 'three', LONG)).toMatchObject({ status: 'written' });
    expect((await second.get(KEY))?.value).toBe('three');
  });

  test('an entry is not taken over during its lease', async () => {
    const { first, second } = await open();
    await first.create(KEY, 'one', LONG);
    expect(await second.takeOver(KEY, 1, 'two', TAKE)).toBe(false);
    expect((await first.get(KEY))?.value).toBe('one');
  });

  test('the writer before can write nothing after an entry was taken over', async () => {
    const { first, second } = await open();
    await first.create(KEY, 'one', SHORT_LEASE);
    await expect.poll(() => second.takeOver(KEY, 1, 'two', TAKE)).toBe(true);
    expect(await first.write(KEY, 1, 'three', LONG)).toMatchObject({ status: 'fenced' });
    expect(await second.get(KEY)).toEqual({ value: 'two', token: 2, isLeased: false });
    expect(await second.takeOver(KEY, 2, 'four', TAKE)).toBe(false);
  });

  test('a lease that is over, and that nobody has taken, can be renewed', async () => {
    const { first, second } = await open();
    await first.create(KEY, 'one', SHORT_LEASE);
    await expect.poll(async () => (await second.get(KEY))?.isLeased).toBe(false);
    expect(await first.write(KEY, 1, 'two', LONG)).toMatchObject({ status: 'written' });
    expect(await second.takeOver(KEY, 1, 'three', TAKE)).toBe(false);
    expect(await second.get(KEY)).toEqual({ value: 'two', token: 1, isLeased: true });
  });

  test('an entry whose lease is over can be taken over when it was in doubt for long enough', async () => {
    const { first, second } = await open();
    await first.create(KEY, 'one', SHORT_LEASE);
    await expect.poll(async () => (await second.get(KEY))?.isLeased).toBe(false);
    const long = { ...TAKE, doubtMs: 600_000 };
    for (const store of [second, first, second]) expect(await store.takeOver(KEY, 1, 'two', long)).toBe(false);
    expect(await second.get(KEY)).toEqual({ value: 'one', token: 1, isLeased: false });
    // A renewal ends the doubt.
    expect(await first.write(KEY, 1, 'three', SHORT_LEASE)).toEqual(written());
    await expect.poll(async () => (await second.get(KEY))?.isLeased).toBe(false);
    expect(await second.takeOver(KEY, 1, 'four', TAKE)).toBe(false);
    expect(await second.takeOver(KEY, 1, 'four', TAKE)).toBe(true);
    expect(await second.get(KEY)).toEqual({ value: 'four', token: 2, isLeased: false });
  });

  test('of two who create or take over at the same time, one does', async () => {
    const { first, second } = await open();
    const created = await Promise.all([first.create(KEY, 'a', SHORT_LEASE), second.create(KEY, 'b', SHORT_LEASE)]);
    expect(created.filter(Boolean)).toHaveLength(1);
    await expect.poll(async () => (await first.get(KEY))?.isLeased).toBe(false);
    const taken = await Promise.all(
      [first, second, first, second].map((store, at) => store.takeOver(KEY, 1, `${at}`, TAKE)),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await second.get(KEY)).toMatchObject({ value: `${taken.indexOf(true)}`, token: 2 });
  });

  test('an entry is gone after its time, and its key is free again', async () => {
    const { first, second } = await open();
    await first.create(KEY, 'one', { ttlMs: 1, leaseMs: 600_000 });
    await expect.poll(() => second.get(KEY)).toBeUndefined();
    expect(await first.write(KEY, 1, 'two', LONG)).toMatchObject({ status: 'missing' });
    expect(await second.takeOver(KEY, 1, 'two', TAKE)).toBe(false);
    expect(await second.create(KEY, 'three', LONG)).toBe(true);
  });

  test('what the store has forgotten is missing', async () => {
    const { first, forget } = await open();
    await first.create(KEY, 'one', LONG);
    await first.append(INBOX, 'a', { ttlMs: 600_000 });
    await forget();
    expect(await first.get(KEY)).toBeUndefined();
    expect(await first.write(KEY, 1, 'two', LONG)).toMatchObject({ status: 'missing' });
    await first.create(KEY, 'one', LONG);
    expect(await first.write(KEY, 1, 'two', { ...LONG, inbox: INBOX })).toEqual(written());
  });

  test('a list is read once, in order, by a write, and has a limit', async () => {
    const { first, second } = await open();
    await first.create(KEY, 'one', LONG);
    const values = Array.from({ length: MAX_LIST_VALUES }, (_, at) => `${at}`);
    for (const value of values) expect(await first.append(INBOX, value, { ttlMs: 600_000 })).toBe(true);
    expect(await second.append(INBOX, 'too many', { ttlMs: 600_000 })).toBe(false);
    expect(await second.write(KEY, 7, 'fenced', { ...LONG, inbox: INBOX })).toEqual({ status: 'fenced', messages: [] });
    const write = (store: StateStore) => store.write(KEY, 1, 'two', { ...LONG, inbox: INBOX });
    const read = await Promise.all([write(first), write(second)]);
    expect(read.flatMap(({ messages }) => messages)).toEqual(values);
    await second.append(INBOX, 'again', { ttlMs: 1 });
    await expect.poll(() => first.append(INBOX, 'later', { ttlMs: 600_000 })).toBe(true);
    expect((await write(second)).messages.at(-1)).toBe('later');
    expect(await first.write(KEY, 1, 'three', LONG)).toEqual(written());
  });

  test('a value that is too long is refused, and changes nothing', async () => {
    const { first } = await open();
    const long = 'x'.repeat(MAX_VALUE_CHARS + 1);
    await expect(first.create(KEY, long, LONG)).rejects.toThrow(StateTooLargeError);
    await expect(first.append(INBOX, long, { ttlMs: 1 })).rejects.toThrow(StateTooLargeError);
    expect(await first.get(KEY)).toBeUndefined();
  });

  test('a collection has its values until their time is over, or later ones need their place', async () => {
    const { first, second, forget } = await open();
    const key = { group: 'outputs:a', name: 'outputs' };
    const bounds = { ttlMs: 600_000, maxChars: 10 };
    expect(await second.find(key, 'a')).toBeUndefined();
    await first.put(key, 'a', '1234', bounds);
    await second.put(key, 'b', 'ä "6"', bounds);
    expect([await second.find(key, 'a'), await first.find(key, 'b')]).toEqual(['1234', 'ä "6"']);
    expect([await first.find(key, 'index'), await first.find({ ...key, group: 'outputs:b' }, 'a')]).toEqual([
      undefined,
      undefined,
    ]);
    await first.put(key, 'c', '56', bounds);
    expect([await second.find(key, 'a'), await second.find(key, 'b'), await second.find(key, 'c')]).toEqual([
      undefined,
      'ä "6"',
      '56',
    ]);
    await expect(first.put(key, 'd', '12345678901', bounds)).rejects.toThrow(StateTooLargeError);
    expect(await second.find(key, 'c')).toBe('56');
    await forget();
    expect(await second.find(key, 'c')).toBeUndefined();
    await first.put(key, 'e', '1', { ...bounds, ttlMs: 1 });
    await expect.poll(() => second.find(key, 'e')).toBeUndefined();
  });

  test('a collection has a limit of its values', async () => {
    const { first, second } = await open();
    const key = { group: 'outputs:a', name: 'outputs' };
    const bounds = { ttlMs: 600_000, maxChars: 10_000 };
    await first.put(key, 'first', '', bounds);
    await inBatches(MAX_COLLECTION_VALUES - 1, (at) => first.put(key, `${at}`, 'x', bounds));
    expect(await second.find(key, 'first')).toBe('');
    await first.put(key, 'last', '', bounds);
    expect([await second.find(key, 'first'), await second.find(key, 'last')]).toEqual([undefined, '']);
  });

  test('a bucket gives its tokens once to all, and says how long the next one takes', async () => {
    const { first, second } = await open();
    const bucket = { size: 5, perSecond: 0.01 };
    const key = { group: 'rate:a', name: 'bucket' };
    const takes = await Promise.all(
      [first, second, first, second, first, second, first].map((s) => s.take(key, bucket)),
    );
    expect(takes.filter((waitMs) => waitMs === 0)).toHaveLength(5);
    const waitMs = await second.take(key, bucket);
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(100_000);
    expect(await second.take({ ...key, group: 'rate:b' }, bucket)).toBe(0);
  });

  test('a bucket gets its tokens back', async () => {
    const { first, second } = await open();
    const bucket = { size: 1, perSecond: 1_000 };
    const key = { group: 'rate:a', name: 'bucket' };
    expect(await first.take(key, bucket)).toBe(0);
    for (let taken = 0; taken < 5; taken += 1) await expect.poll(() => second.take(key, bucket)).toBe(0);
  });

  test('a set has the members that have joined, until they leave or their time is over', async () => {
    const { first, second } = await open();
    const key = { group: 'replicas', name: 'present' };
    expect(await first.join(key, 'a', 600_000)).toEqual(['a']);
    expect([...(await second.join(key, 'b', 600_000))].sort()).toEqual(['a', 'b']);
    expect([...(await second.join(key, 'b', 600_000))].sort()).toEqual(['a', 'b']);
    await first.leave(key, 'a');
    expect(await second.join(key, 'b', 600_000)).toEqual(['b']);
    await first.join(key, 'short', 1);
    await expect.poll(() => second.join(key, 'b', 600_000)).toEqual(['b']);
  });

  test('a set is read, is gone after the longest time of its members, and has a limit', async () => {
    const { first, second } = await open();
    const key = { group: 'keys', name: 'removed' };
    expect(await second.members(key)).toEqual([]);
    await first.join(key, 'long', 600_000);
    await first.join(key, 'short', 1);
    await expect.poll(() => second.members(key)).toEqual(['long']);
    await inBatches(MAX_MEMBERS, (at) => first.join(key, `${at}`, 700_000 + at * 1_000));
    const members = await second.members(key);
    expect([members.length, members.includes('long'), members.at(-1)]).toEqual([
      MAX_MEMBERS,
      false,
      `${MAX_MEMBERS - 1}`,
    ]);
  });

  test('a message reaches those who listen to its channel', async () => {
    const { first, second } = await open();
    const heard: string[] = [];
    await second.subscribe('a', (message) => heard.push(message));
    await first.publish('b', 'not for us');
    await first.publish('a', 'one');
    await first.publish('a', 'two');
    await expect.poll(() => heard).toEqual(['one', 'two']);
  });

  test('a message is no longer heard after its channel was left', async () => {
    const { first, second } = await open();
    const heard: string[] = [];
    await second.subscribe('a', (message) => heard.push(`a ${message}`));
    await second.subscribe('b', (message) => heard.push(`b ${message}`));
    await second.unsubscribe('a');
    await second.unsubscribe('never-subscribed');
    await first.publish('a', 'one');
    await first.publish('b', 'two');
    await expect.poll(() => heard).toEqual(['b two']);
  });

  test('a change is announced if it says so, and if it was made', async () => {
    const { first, second } = await open();
    const heard: string[] = [];
    await second.subscribe('a', (message) => heard.push(message));
    const announced = (message: string) => ({ ...SHORT_LEASE, doubtMs: 0, announce: { channel: 'a', message } });
    await first.create(KEY, 'one', LONG);
    await first.write(KEY, 1, 'two', LONG);
    await first.write(KEY, 7, 'fenced', announced('fenced'));
    await first.write({ ...KEY, group: 'task:2' }, 1, 'missing', announced('missing'));
    await first.takeOver(KEY, 1, 'leased', announced('leased'));
    expect(await first.write(KEY, 1, 'three', announced('written'))).toEqual(written());
    await expect.poll(() => first.takeOver(KEY, 1, 'four', announced('taken'))).toBe(true);
    await first.append(INBOX, 'message', announced('appended'));
    await first.publish('a', 'last');
    await expect.poll(() => heard).toEqual(['written', 'taken', 'appended', 'last']);
  });
}
