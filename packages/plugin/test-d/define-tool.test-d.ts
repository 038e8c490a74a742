import { type CallContext, type DefinedTool, defineTool, type ITool, type RegisterApi } from '@mortise/plugin';
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
  input: v.object({ city: v.pipe(v.string(), v.toUpperCase()), days: v.optional(v.number()) }),
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
  run(args) {
    assertType<Equal<typeof args, { city: string; days?: number | undefined }>>();
  },
});

// @ts-expect-error run is missing
defineTool({ ...base, inputSchema: { type: 'object' } });
// @ts-expect-error the description is missing
defineTool({ name: 't', inputSchema: { type: 'object' }, run: () => '' });
// @ts-expect-error there is no schema
defineTool({ ...base, run: () => '' });
// @ts-expect-error a hint is a boolean
defineTool({ ...base, inputSchema: { type: 'object' }, annotations: { readOnlyHint: 'yes' }, run: () => '' });

/** What defineTool makes goes both ways. */
export const exported: ITool = literal;
export const register = (api: RegisterApi) => void api.registerTool(literal);
