import { describe, expect, it } from 'vitest';
import { findResource } from '../../src/call/find-resource.js';
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
  it('is compared with those of one within its limit, and is found among those of another', () => {
    const good = {};
    const templates = [...hostile({}), resource(good, 'a:{+any}')];
    const found = find(templates, ADVERSARIAL);
    expect(found?.resource.runner).toBe(good);
  });

  it('matches nothing where it is longer than the limit', () => {
    expect(find([resource({}, 'a:{+any}')], `a:${'x'.repeat(8191)}`)).toBeUndefined();
    expect(find([resource({}, 'a:{+any}')], `a:${'x'.repeat(8190)}`)).toBeDefined();
  });
});
