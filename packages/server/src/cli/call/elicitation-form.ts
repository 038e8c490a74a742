import type { JsonSchema } from '@mortise/plugin';
import { ownMember } from '@mortise/plugin/runtime';

/** One question of a form (MCP elicitation: a flat object of strings, numbers, booleans and choices). */
export interface Field {
  readonly name: string;
  readonly prompt: string;
  readonly isRequired: boolean;
  /** Used when nothing is typed. */
  readonly default?: unknown;
  read(text: string): FieldAnswer;
}

/** A value, or why it is none. */
export type FieldAnswer = { readonly value: unknown } | { readonly problem: string };

/** The fields of a form, in the schema's order. */
export function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) =>
    toField(name, typeof schema === 'object' ? schema : {}, required.includes(name)),
  );
}

/** What a typed line means for a field: a value, undefined for one left out, or a problem. */
export function parseField(field: Field, line: string): FieldAnswer {
  const text = line.trim();
  if (text !== '') return field.read(text);
  if (field.default !== undefined) return { value: field.default };
  return field.isRequired ? { problem: 'This field is required.' } : { value: undefined };
}

function toField(name: string, schema: JsonSchema, isRequired: boolean): Field {
  const { title, description, default: preset } = schema;
  const { hint, read } = readerOf(schema);
  const notes = [hint, preset === undefined ? '' : `default ${String(preset)}`, isRequired ? '' : 'optional'];
  const note = notes.filter(Boolean).join('; ');
  const label = [title ?? name, description].filter(Boolean).join(', ');
  return { name, prompt: note ? `${label} (${note})` : label, isRequired, default: preset, read };
}

interface Reader {
  readonly hint: string;
  read(text: string): FieldAnswer;
}

function readerOf(schema: JsonSchema): Reader {
  const options = optionsOf(schema);
  if (options) return { hint: options.join(' | '), read: (text) => choose(text, options) };
  if (schema.type === 'array') return listReader(optionsOf((schema.items ?? {}) as JsonSchema) ?? []);
  return ownMember(READERS, String(schema.type)) ?? READERS.string!;
}

const READERS: Readonly<Record<string, Reader>> = {
  string: { hint: '', read: (text) => ({ value: text }) },
  number: { hint: 'number', read: (text) => toNumber(text, Number.isFinite) },
  integer: { hint: 'whole number', read: (text) => toNumber(text, Number.isInteger) },
  boolean: { hint: 'y | n', read: toBoolean },
};

/** The values of a choice: `enum`, or `oneOf`/`anyOf` of constants. */
function optionsOf({ enum: values, oneOf, anyOf }: JsonSchema): string[] | undefined {
  if (Array.isArray(values)) return values.map(String);
  const constants = oneOf ?? anyOf;
  return Array.isArray(constants)
    ? constants.map((constant: { const?: unknown }) => String(constant.const))
    : undefined;
}

function choose(text: string, options: readonly string[]): FieldAnswer {
  const chosen = options.find((option) => option.toLowerCase() === text.toLowerCase());
  return chosen === undefined ? { problem: `Enter one of: ${options.join(', ')}.` } : { value: chosen };
}

function listReader(options: readonly string[]): Reader {
  return {
    hint: `some of ${options.join(' | ')}, with commas between`,
    read(text) {
      const chosen = text.split(',').map((part) => choose(part.trim(), options));
      return chosen.find((item) => 'problem' in item) ?? { value: chosen.map((item) => 'value' in item && item.value) };
    },
  };
}

function toNumber(text: string, isRight: (value: number) => boolean): FieldAnswer {
  const value = Number(text);
  return isRight(value)
    ? { value }
    : { problem: isRight === Number.isInteger ? 'Enter a whole number.' : 'Enter a number.' };
}

function toBoolean(text: string): FieldAnswer {
  if (/^(?:y|yes|true)$/i.test(text)) return { value: true };
  return /^(?:n|no|false)$/i.test(text) ? { value: false } : { problem: 'Enter y or n.' };
}
