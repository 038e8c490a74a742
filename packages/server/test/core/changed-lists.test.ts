import { expect, it } from 'vitest';
import { changedLists } from '../../src/core/changed-lists.js';
import type { Snapshot } from '../../src/core/snapshot.js';

const tool = (wireName: string, definition: object = { name: wireName, description: 'd' }) => ({
  wireName,
  definition,
});
const snapshot = (tools: object[]) => ({ tools, resources: [], templates: [], prompts: [] }) as unknown as Snapshot;

it('a list has changed if a name, a definition or the number of its items differs', () => {
  const before = snapshot([tool('a'), tool('b')]);
  expect(changedLists(before, snapshot([tool('a'), tool('b')]))).toEqual([]);
  expect(changedLists(before, snapshot([tool('a')]))).toEqual(['tools']);
  expect(changedLists(before, snapshot([tool('a'), tool('b', { name: 'b', description: 'new' })]))).toEqual(['tools']);
  const definition = { name: 'b', description: 'd' };
  const renamed = [snapshot([tool('b', definition)]), snapshot([tool('x_b', definition)])] as const;
  expect(changedLists(...renamed)).toEqual(['tools']);
});
