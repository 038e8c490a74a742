import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageMeter } from '../../src/processes/message-meter.js';
import { DEFAULT_LIMITS } from '../../src/settings/plugin-limits.js';

const meterOf = (limits: Partial<typeof DEFAULT_LIMITS>) =>
  new MessageMeter({ ...DEFAULT_LIMITS, ...limits }, 'The message');

/** Members and items at all levels, and one for each list or object. */
function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return Math.max(1, inner.length) + inner.reduce((sum: number, item) => sum + valuesOf(item), 0);
}

describe('a message meter', () => {
  it('counts what JSON holds, whatever its texts hold and however it is cut into pieces', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('a,b', '["{', '\\"', '\\\\', '",["', '\\'));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, text, fc.integer(), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      object: fc.dictionary(text, tie('value'), { maxKeys: 4 }),
    }));
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 9 }), (message, size) => {
        const bytes = Buffer.from(JSON.stringify(message));
        const values = valuesOf(message);
        const violationOf = (MessageValues: number) => {
          const meter = meterOf({ MessageValues });
          for (let at = 0; at < bytes.length; at += size) if (meter.add(bytes.subarray(at, at + size))) return true;
          return false;
        };
        expect([violationOf(values), violationOf(Math.max(0, values - 1))]).toEqual([false, values > 0]);
      }),
    );
  });

  it('says how much a whole message has', () => {
    const message = Buffer.from(JSON.stringify(Array(1500).fill(0)));
    expect(meterOf({ MessageValues: 1000 }).whole(message)?.message).toBe(
      'The message has 1,500 values; Plugins.Limits.MessageValues allows 1,000',
    );
    expect(meterOf({ MessageBytes: 1024 }).whole(message)?.message).toBe(
      'The message has 3,001 bytes; Plugins.Limits.MessageBytes allows 1,024',
    );
    expect(meterOf({}).whole(message)).toBeUndefined();
  });

  it('refuses as soon as it knows, and says which limit', () => {
    const meter = meterOf({ MessageValues: 1000 });
    expect(meter.add(Buffer.from(`[${'0,'.repeat(900)}`))).toBeUndefined();
    expect(meter.add(Buffer.from('0,'.repeat(900)))).toEqual({
      limit: 'MessageValues',
      message: 'The message has more than 1,000 values; Plugins.Limits.MessageValues allows 1,000',
      hint: 'Return less, or a resource_link to a resource that holds it, or raise Plugins.Limits.MessageValues if you trust the plugin.',
    });
    expect(meterOf({ MessageBytes: 10 }).add(Buffer.alloc(11))).toMatchObject({ limit: 'MessageBytes' });
  });

  it('begins with the next message as new', () => {
    const meter = meterOf({ MessageBytes: 10 });
    meter.add(Buffer.from('"abcdefgh'));
    meter.reset();
    expect(meter.add(Buffer.from('[1,2,3]'))).toBeUndefined();
  });
});
