import type { JsonObject, JsonSchema } from '@mortise/plugin';
import { afterAll, describe, expect, it } from 'vitest';
import type * as ThreadModule from '../../../src/call/validation/validation-worker.js';
import { built } from '../../built.js';

const { CheckThread } = built<typeof ThreadModule>('call/validation/validation-worker');
const { signal } = new AbortController();
const thread = new CheckThread();
afterAll(() => thread.close());

const check = (value: JsonObject, schema: JsonSchema) => thread.run({ check: 'arguments', value, schema }, signal);

/** A schema that takes longer than the limit to compile, on any machine of today. */
const endless = (): JsonSchema => ({
  properties: Object.fromEntries(
    Array.from({ length: 60_000 }, (_, i) => [`p${i}`, { type: 'object', properties: { a: { enum: [i, `${i}`] } } }]),
  ),
});

describe('a check in the thread', () => {
  it('refuses a schema that takes more than 5 s or 256 MB to compile, at once when it is known', async () => {
    const schema = endless();
    const refused = await check({}, schema);
    // Which limit it meets first depends on the speed of the machine.
    const failed = expect.stringMatching(/^compiling it took more than (5 s|256 MB of memory)$/);
    expect(refused).toEqual({ failed, in: 'compile', endedThread: true });
    // Were it compiled again, it would be quick now.
    delete (schema as { properties?: object }).properties;
    expect(await check({}, schema)).toEqual(refused);
    expect(await check({ a: 1 }, { properties: { a: { type: 'string' } } })).toMatchObject({ found: [{}] });
  });
});
