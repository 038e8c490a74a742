import type { PluginDefinition } from '@mortise/plugin/runtime';
import { describe, expect, it } from 'vitest';
import type { CatalogEntry } from '../../src/catalog/catalog-entry.js';
import { EntryReview } from '../../src/catalog/entry-review.js';
import type { Runner } from '../../src/core/plugin-runner.js';
import type { Settings } from '../../src/settings/settings.js';
import { offering, tool } from '../lockfile/tools.js';

const STEP_MS = 0.2;

const toolsOf = (count: number, description: string): PluginDefinition =>
  offering(...Array.from({ length: count }, (_, index) => tool(`t${index}`, { description })));

function entryOf(definition: PluginDefinition): CatalogEntry {
  const path = '/plugins/a.mjs';
  return {
    candidate: { kind: 'module', name: 'a', path, entry: path, directory: '/plugins', problems: [] },
    runner: { definition } as Runner,
  };
}

/** A review that takes its time with each tool. */
const reviews = () =>
  new EntryReview({
    settings: { Plugins: { OnChange: 'warn' } } as Settings,
    *reviewSteps(_, { tools }) {
      for (const _ of tools) {
        for (const endsAt = performance.now() + STEP_MS; performance.now() < endsAt; );
        yield;
      }
      return { problems: [], isBlocked: false };
    },
  });

/** How many turns of the event loop pass until it is settled. */
async function turnsOf(work: void | Promise<void>): Promise<number> {
  let isDone = false;
  void Promise.resolve(work).then(() => {
    isDone = true;
  });
  for (let turns = 0; ; turns++) {
    await new Promise(setImmediate);
    if (isDone) return turns;
  }
}

describe('the review of a changed definition', () => {
  it('takes many turns of the event loop if it is long, and counts after the last one', async () => {
    const entry = entryOf(toolsOf(500, 'long'));
    let spentMs = 0;
    const work = reviews().updateInSlices(entry, (ms) => {
      spentMs += ms;
    });
    expect(entry.definition).toBeUndefined();
    expect(await turnsOf(work)).toBeGreaterThan(10);
    expect(entry.definition?.tools).toHaveLength(500);
    expect(entry.review).toEqual({ problems: [], isBlocked: false });
    expect(spentMs).toBeGreaterThan(500 * STEP_MS);
  });

  it('is done at once if it is short', () => {
    const entry = entryOf(toolsOf(5, 'short'));
    expect(reviews().updateInSlices(entry, () => {})).toBeUndefined();
    expect(entry.definition?.tools).toHaveLength(5);
  });

  it('does not count if the entry was reviewed again meanwhile', async () => {
    const entry = entryOf(toolsOf(500, 'before'));
    const review = reviews();
    const work = review.updateInSlices(entry, () => {});
    entry.runner = { definition: toolsOf(1, 'after') } as Runner;
    review.update(entry);
    await work;
    expect(entry.definition?.tools.map(({ description }) => description)).toEqual(['after']);
  });
});
