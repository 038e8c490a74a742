import { readFileSync } from 'node:fs';
import { CONTRACT_VERSION, contractSchema } from '@mortise/plugin/contract';
import { describe, expect, it } from 'vitest';
import { breakingChanges } from './breaking-changes.js';

// biome-ignore lint/suspicious/noExplicitAny: tests change any part of it
type Json = any;

const RELEASED = 'contract.released.schema.json';
const released = JSON.parse(readFileSync(new URL(RELEASED, import.meta.url), 'utf8'));
const major = ({ $id }: Json) => Number(/\/(\d+)\.\d+\.\d+$/.exec($id)![1]);

/** docs/spec/contract.md#compatibility */
describe('the contract', () => {
  it('breaks no program that was written for the last release, unless its major version is another one', () => {
    const now = contractSchema() as Json;
    expect(now.$id).toBe(`mortise://contract/schema/${CONTRACT_VERSION}`);
    if (major(now) === major(released)) expect(breakingChanges(released, now)).toEqual([]);
  });

  it.each<[what: string, change: (defs: Json) => void, names: string[]]>([
    ['a removed part', (defs) => delete defs.LockInfo, ['LockInfo was removed']],
    ['a removed member', (defs) => delete defs.LockInfo.properties.lockKey, ['LockInfo/lockKey was removed']],
    [
      'another type',
      (defs) => (defs.ErrorResult.properties.line = { type: 'string' }),
      ['ErrorResult/line: type was "integer" and is "string"'],
    ],
    [
      'a member that may be absent now',
      (defs) => (defs.ErrorResponse.required = ['success', 'errors']),
      ['ErrorResponse/exitCode may now be absent'],
    ],
    [
      'a removed value',
      (defs) => defs.LockInfo.properties.lockScope.enum.pop(),
      ['LockInfo/lockScope: the value "global" was removed'],
    ],
    [
      'a removed member of the result of a tool',
      (defs) => delete defs.dotnet_project.anyOf[0].properties.assemblies.items.properties.failed,
      ['dotnet_project/anyOf/0/assemblies[]/failed was removed'],
    ],
  ])('names %s', (_, change, names) => {
    const now = structuredClone(released);
    change(now.$defs);
    expect(breakingChanges(released, now)).toEqual(names);
  });

  it('may have further members, parts and values', () => {
    const now = structuredClone(released);
    now.$defs.LockInfo.properties.more = { type: 'string' };
    now.$defs.LockInfo.properties.lockScope.enum.push('feed');
    now.$defs.More = { type: 'object' };
    expect(breakingChanges(released, now)).toEqual([]);
  });
});
