import { definePlugin, fail, ok } from '@mortise/plugin';

/** The size of each unit in metres or kilograms. */
const UNITS = {
  mm: { kind: 'length', factor: 0.001 },
  m: { kind: 'length', factor: 1 },
  km: { kind: 'length', factor: 1000 },
  mile: { kind: 'length', factor: 1609.344 },
  g: { kind: 'mass', factor: 0.001 },
  kg: { kind: 'mass', factor: 1 },
  pound: { kind: 'mass', factor: 0.45359237 },
} as const;

type Unit = keyof typeof UNITS;
const units = Object.keys(UNITS) as Unit[];

export default definePlugin({
  register(api) {
    api.defineTool({
      name: 'convert_units',
      title: 'Convert units',
      description: 'Converts a length to another unit of length, or a mass to another unit of mass.',
      inputSchema: {
        type: 'object',
        properties: {
          value: { type: 'number', description: 'The amount, in the unit `from`' },
          from: { type: 'string', enum: units, description: 'The unit that the amount is in' },
          to: { type: 'string', enum: units, description: 'The unit that is wanted' },
        },
        required: ['value', 'from', 'to'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: { value: { type: 'number' }, unit: { type: 'string', enum: units } },
        required: ['value', 'unit'],
      },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },

      // The schema gives the types: value is a number, from and to are each a Unit.
      run({ value, from, to }) {
        if (UNITS[from].kind !== UNITS[to].kind) {
          return fail(`${from} is a unit of ${UNITS[from].kind}, ${to} one of ${UNITS[to].kind}`, {
            code: 'UNITS_INCOMPATIBLE',
            hint: `Choose a unit of ${UNITS[from].kind}: ${unitsOf(UNITS[from].kind).join(', ')}.`,
          });
        }
        const converted = Number(((value * UNITS[from].factor) / UNITS[to].factor).toPrecision(12));
        return ok(`${value} ${from} = ${converted} ${to}`, { value: converted, unit: to });
      },
    });
  },
});

function unitsOf(kind: string): Unit[] {
  return units.filter((unit) => UNITS[unit].kind === kind);
}
