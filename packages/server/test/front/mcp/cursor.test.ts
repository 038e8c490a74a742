import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutPage } from '../../../src/front/mcp/cursor.js';
import { TestHost } from './test-host.js';
import { StdioWire } from './wire.js';

const cut = (items: readonly string[], pageSize: number, cursor?: unknown) =>
  cutPage(items, (item) => item, { list: 'tools', pageSize, cursor });

function walk(items: readonly string[], pageSize: number): string[] {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = cut(items, pageSize, cursor);
    seen.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return seen;
}

describe('pages of a list', () => {
  test('all pages together are the list, whatever their size', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), fc.integer({ min: 0, max: 7 }), (items, pageSize) => {
        expect(walk(items, pageSize)).toEqual(items);
      }),
    );
  });

  test('the last page has no cursor, a full one neither', () => {
    expect(cut(['a', 'b'], 2).nextCursor).toBeUndefined();
    expect(cut(['a', 'b', 'c'], 2).nextCursor).toBeDefined();
    expect(cut(['a', 'b', 'c'], 0).nextCursor).toBeUndefined();
    expect(cut([], 2)).toEqual({ items: [] });
  });

  test('a cursor of an older list continues behind the same item', () => {
    const { nextCursor } = cut(['b', 'c', 'd', 'e'], 2);
    expect(cut(['a', 'b', 'bb', 'c', 'd', 'e'], 2, nextCursor).items).toEqual(['d', 'e']);
    expect(cut(['c', 'd', 'e'], 2, nextCursor).items).toEqual(['d', 'e']);
  });

  test('when that item is gone nothing is left out', () => {
    const { nextCursor } = cut(['b', 'c', 'd', 'e'], 2);
    expect(cut(['b', 'd', 'e'], 2, nextCursor).items).toEqual(['d', 'e']);
    expect(cut([], 2, nextCursor)).toEqual({ items: [] });
  });

  test('a cursor that is none of ours is −32602, and no text breaks the check', () => {
    const otherCursor = cutPage(['a', 'b'], (item) => item, {
      list: 'prompts',
      pageSize: 1,
      cursor: undefined,
    }).nextCursor;
    const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const bad = [
      otherCursor,
      '',
      'x',
      5,
      null,
      {},
      json(1),
      json(['tools', 'a', 0]),
      json(['tools', 'a', '1']),
      json(['tools']),
    ];
    for (const cursor of bad) {
      expect(() => cut(['a', 'b'], 1, cursor)).toThrow(expect.objectContaining({ code: -32602 }));
    }
    fc.assert(
      fc.property(fc.string(), (cursor) => {
        expect(() => cut(['a', 'b'], 1, cursor)).toThrow(/^Invalid cursor/);
      }),
    );
  });
});

test('Tools.PageSize cuts every list, and a listing that changes between two pages does no harm', async () => {
  const host = new TestHost({ Tools: { PageSize: 3 } });
  const wire = new StdioWire(host);
  await wire.initialize();
  const first = (await wire.request('tools/list')).result;
  expect(first.tools).toHaveLength(3);
  host.add({ name: 'a_new_one', inputSchema: { type: 'object' } }, async () => ({
    kind: 'result',
    result: { content: [] },
  }));
  const second = (await wire.request('tools/list', { cursor: first.nextCursor })).result;
  const names = host.mcpLists().tools.map((tool) => tool.name);
  expect(second.tools.map((tool: { name: string }) => tool.name)).toEqual(names.slice(4, 7));
  expect((await wire.request('tools/list')).result.tools[0].name).toBe('a_new_one');
  const { error } = await wire.request('prompts/list', { cursor: first.nextCursor });
  expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/^Invalid cursor/) });
  await wire.end();
});
