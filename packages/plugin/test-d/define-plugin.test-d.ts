import { definePlugin, type RegisterApi, secretString } from '@mortise/plugin';
import { type } from 'arktype';
import * as v from 'valibot';
import * as z from 'zod';
import { assertType, type Equal } from './expect-type.js';

definePlugin({
  config: z.object({ apiKey: secretString(), retries: z.number().default(3), spare: secretString({ optional: true }) }),
  register(api, config) {
    assertType<Equal<typeof api, RegisterApi>>();
    assertType<Equal<typeof config, { apiKey: string; retries: number; spare?: string | undefined }>>();
  },
});

definePlugin({
  config: { apiKey: secretString(), cities: v.array(v.string()) },
  register(_, config) {
    assertType<Equal<typeof config, { apiKey: string; cities: string[] }>>();
  },
});

definePlugin({
  name: 'weather',
  config: type({ unit: "'C' | 'F'" }),
  async register(_, config) {
    assertType<Equal<typeof config, { unit: 'C' | 'F' }>>();
  },
});

definePlugin({
  config: {
    type: 'object',
    properties: {
      key: secretString(),
      retries: { type: 'integer', default: 3 },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['key'],
  },
  register(_, config) {
    assertType<Equal<typeof config, { key: string; retries: number; tags?: string[] }>>();
  },
});

definePlugin({
  register(api, config) {
    assertType<Equal<typeof config, undefined>>();
    assertType<Equal<typeof api.dataDir, string>>();
  },
});

// @ts-expect-error register is required
definePlugin({ name: 'weather' });
