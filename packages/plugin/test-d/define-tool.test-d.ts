import {
  type CallContext,
  type DefinedTool,
  defineTool,
  fail,
  type ITool,
  ok,
  type RegisterApi,
} from '@mortise/plugin';
import { type } from 'arktype';
import * as v from 'valibot';
import * as z from 'zod';
import { assertType, type Equal } from './expect-type.js';

const base = { name: 't', description: 'd' };

const literal = defineTool({
  ...base,
  inputSchema: {
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['current', 'forecast'] },
      city: { type: 'string', description: 'City name' },
      days: { type: 'integer', minimum: 1 },
      exact: { type: 'boolean' },
      version: { const: 2 },
      tags: { type: 'array', items: { type: 'string' } },
      point: {
        type: 'object',
        properties: { lat: { type: 'number' }, lon: { type: 'number' }, label: { type: 'string' } },
        required: ['lat', 'lon'],
      },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
      headers: { type: 'object', additionalProperties: { type: 'string' } },
      nullable: { type: ['string', 'null'] },
      either: {
        anyOf: [{ type: 'string' }, { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] }],
      },
      both: { allOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'number' } } }] },
      anything: {},
      open: true,
    },
    required: ['action', 'city', 'tags'],
  },
  run(args, context) {
    assertType<
      Equal<
        typeof args,
        {
          action: 'current' | 'forecast';
          city: string;
          tags: string[];
          days?: number;
          exact?: boolean;
          version?: 2;
          point?: { lat: number; lon: number; label?: string };
          pair?: [string, number];
          headers?: Record<string, string>;
          nullable?: string | null;
          either?: string | { id: number };
          both?: { a?: string } & { b?: number };
          anything?: unknown;
          open?: unknown;
        }
      >
    >();
    assertType<Equal<typeof context, CallContext>>();
    // @ts-expect-error there is no such argument
    args.town;
    // @ts-expect-error not one of the enum
    args.action === 'past';
    // @ts-expect-error days may be missing
    args.days.toFixed();
    return args.city;
  },
});
assertType<Equal<typeof literal, DefinedTool>>();

defineTool({
  ...base,
  inputSchema: { type: 'object' },
  run: (args) => assertType<Equal<typeof args, Record<string, unknown>>>(),
});

declare const wide: import('@mortise/plugin').JsonSchema;
defineTool({ ...base, inputSchema: wide, run: (args) => assertType<Equal<typeof args, Record<string, unknown>>>() });

defineTool({
  ...base,
  inputSchema: z.object({ city: z.string(), days: z.coerce.number().default(3), when: z.iso.date().optional() }),
  run(args) {
    assertType<Equal<typeof args, { city: string; days: number; when?: string | undefined }>>();
  },
});

defineTool({
  ...base,
  inputSchema: type({ city: 'string', 'days?': 'number', kind: "'a' | 'b'" }),
  run(args) {
    assertType<Equal<typeof args, { city: string; kind: 'a' | 'b'; days?: number }>>();
  },
});

defineTool({
  ...base,
  inputSchema: {
    schema: v.object({ city: v.pipe(v.string(), v.toUpperCase()), days: v.optional(v.number()) }),
    json: { type: 'object', properties: { city: { type: 'string' } } },
  },
  run(args) {
    assertType<Equal<typeof args, { city: string; days?: number | undefined }>>();
  },
});

// A raw shape, as the official SDK takes it.
defineTool({
  ...base,
  inputSchema: { city: z.string(), days: z.number().default(3) },
  run(args) {
    assertType<Equal<typeof args, { city: string; days: number }>>();
  },
});

// What z.toJSONSchema gives.
defineTool({ ...base, inputSchema: z.toJSONSchema(z.object({ city: z.string() })), run: ({ city }) => city });

// What run returns is checked against outputSchema, whatever kind of schema it is.
const forecast = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    kind: { enum: ['sun', 'rain'] },
    days: { type: 'array', items: { type: 'number' } },
  },
  required: ['city', 'kind'],
} as const;
const input = { ...base, inputSchema: { type: 'object' } } as const;
defineTool({ ...input, outputSchema: forecast, run: (_args) => ({ city: 'Oslo', kind: 'sun', days: [1] }) });
defineTool({ ...input, outputSchema: forecast, run: async () => ({ city: 'Oslo', kind: 'rain' as const }) });
defineTool({ ...input, outputSchema: forecast, run: (_args) => ok('Sunny', { city: 'Oslo', kind: 'sun' }) });
defineTool({
  ...input,
  outputSchema: forecast,
  async run(_args) {
    if (Math.random() > 2) return fail('No such city');
    return ok('Sunny', { city: 'Oslo', kind: 'sun', days: [1, 2] });
  },
});
// @ts-expect-error kind is missing
defineTool({ ...input, outputSchema: forecast, run: (_args) => ({ city: 'Oslo' }) });
// @ts-expect-error there is no such kind
defineTool({ ...input, outputSchema: forecast, run: (_args) => ok('Snowy', { city: 'Oslo', kind: 'snow' }) });
// @ts-expect-error a text alone is not the data
defineTool({ ...input, outputSchema: forecast, run: () => 'Sunny' });
// @ts-expect-error neither is one in ok()
defineTool({ ...input, outputSchema: forecast, run: () => ok('Sunny') });

const zodForecast = z.object({ city: z.string(), at: z.string().optional(), days: z.number().default(1) });
defineTool({ ...input, outputSchema: zodForecast, run: () => ({ city: 'Oslo' }) });
defineTool({ ...input, outputSchema: zodForecast, run: () => ok('x', { city: 'Oslo', days: 2 }) });
defineTool({ ...input, outputSchema: { city: z.string(), at: z.string().optional() }, run: () => ({ city: 'Oslo' }) });
// @ts-expect-error city is a string
defineTool({ ...input, outputSchema: zodForecast, run: () => ({ city: 5 }) });
// @ts-expect-error city is a string
defineTool({ ...input, outputSchema: { city: z.string() }, run: async () => ({ city: 5 }) });
// @ts-expect-error city is missing
defineTool({ ...input, outputSchema: v.object({ city: v.string() }), run: () => ({}) });
// @ts-expect-error city is a string
defineTool({ ...input, outputSchema: type({ city: 'string' }), run: () => ({ city: 5 }) });

// @ts-expect-error run is missing
defineTool({ ...base, inputSchema: { type: 'object' } });
// @ts-expect-error the description is missing
defineTool({ name: 't', inputSchema: { type: 'object' }, run: () => '' });
// Without a schema, and with an empty one, there are no arguments.
defineTool({ ...base, run: () => '' });
// @ts-expect-error there are no arguments
defineTool({ ...base, run: (args) => args.city });
// @ts-expect-error there are no arguments
defineTool({ ...base, inputSchema: {}, run: (args) => args.city });
// @ts-expect-error a hint is a boolean
defineTool({ ...base, inputSchema: { type: 'object' }, annotations: { readOnlyHint: 'yes' }, run: () => '' });

/** What defineTool makes goes both ways. */
export const exported: ITool = literal;
export const register = (api: RegisterApi) => void api.registerTool(literal);

/** `api.defineTool` has the types of `defineTool`. */
export const registerInOneStep = (api: RegisterApi) => {
  api.defineTool({ ...base, inputSchema: { city: z.string() }, run: ({ city }) => city.toUpperCase() });
  const wrong = { ...base, inputSchema: { city: z.string() }, outputSchema: { n: z.number() } };
  // @ts-expect-error n is a number
  api.defineTool({ ...wrong, run: () => ({ n: '' }) });
};
