import { describe, expect, it } from 'vitest';
import { findResource } from '../../src/calls/find-resource.js';
import type { Resource, Snapshot } from '../../src/core/snapshot.js';
import { DEFAULT_LIMITS } from '../../src/settings/plugin-limits.js';

const resource = (runner: object, uriTemplate: string) =>
  ({ definition: { uriTemplate, name: 'n', completes: [] }, runner, plugin: 'p', path: '/p' }) as unknown as Resource;
const snapshotOf = (templates: Resource[]) => ({ resources: [], templates }) as unknown as Snapshot;
const find = (templates: Resource[], uri: string) => findResource(snapshotOf(templates), uri, DEFAULT_LIMITS);

/** A hundred templates that fit a URI almost, each in its own way. */
const hostile = (runner: object) =>
  Array.from({ length: 100 }, (_, index) => resource(runner, `a:${'{+x}a'.repeat(18)}{+y}b${index}`));
const ADVERSARIAL = `a:${'a'.repeat(8000)}`;

describe('a URI among the templates of several plugins', () => {
  it('is compared with those of one within its limit, and is found among those of another', async () => {
    const good = {};
    const templates = [...hostile({}), resource(good, 'a:{+any}')];
    const found = await find(templates, ADVERSARIAL);
    expect(found?.resource.runner).toBe(good);
  });

  it('waits only where it begins as the costly ones do', async () => {
    const bad = {};
    const good = resource({}, 'good:{id}');
    const templates = [...hostile(bad), good];
    const found: string[] = [];
    const costly = Array.from({ length: 300 }, () => find(templates, ADVERSARIAL).then(() => found.push('costly')));
    expect((await find(templates, 'good:1').finally(() => found.push('good')))?.resource).toBe(good);
    await Promise.all(costly);
    expect(found.at(-1)).toBe('costly');
  });

  it('matches nothing where it is longer than the limit', async () => {
    expect(await find([resource({}, 'a:{+any}')], `a:${'x'.repeat(8191)}`)).toBeUndefined();
    expect(await find([resource({}, 'a:{+any}')], `a:${'x'.repeat(8190)}`)).toBeDefined();
  });
});
