import { expect, it } from 'vitest';
import { MAX_WAITING, whenLoaded } from '../../../src/plugins/catalog/when-loaded.js';

function loading() {
  let finish = () => {};
  const ready = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const when = whenLoaded({
    catalog: { ready: () => ready, callable: () => ready },
    viewOf: () => ({}) as never,
  });
  const call = (name: string) =>
    when(
      { principal: { name } } as never,
      () => false,
      async () => 'done',
    );
  return { call, finish };
}

it('lets so many calls of each principal wait for plugins that are loading, and refuses more', async () => {
  const { call, finish } = loading();
  const waiting = [...Array.from({ length: MAX_WAITING }, () => call('a')), call('b')];
  expect(await call('a')).toMatchObject({ kind: 'error', data: { code: 'TOOL_BUSY', retryAfterMs: 1000 } });
  finish();
  expect(await Promise.all(waiting)).toEqual(Array(MAX_WAITING + 1).fill('done'));
  expect(await Promise.all(Array.from({ length: 5 }, () => call('a')))).toEqual(Array(5).fill('done'));
});
