import type { JsonSchema } from '@mortise/plugin';
import { ownMember } from '@mortise/plugin/runtime';

/** A field of a form. In MCP's elicitation, a form is a flat object of strings, numbers, booleans and choices. */
export interface Field {
  readonly name: string;
  readonly prompt: string;
  readonly isRequired: boolean;
  /** The value if the person types nothing. */
  readonly default?: unknown;
  read(text: string): FieldAnswer;
}

/** The value of a field, or a sentence with the reason why the text is not valid. */
export type FieldAnswer = { readonly value: unknown } | { readonly problem: string };

/** Returns the fields of a form in the order of its schema. */
export function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) =>
    toField(name, typeof schema === 'object' ? schema : {}, required.includes(name)),
  );
}

/** Reads the line that was typed for a field. The value of an optional field that is left empty is undefined. */
export function parseField(field: Field, line: string): FieldAnswer {
  const text = line.trim();
  if (text !== '') return field.read(text);
  if (field.default !== undefined) return { value: field.default };
  return field.isRequired ? { problem: 'This field is required.' } : { value: undefined };
}

function toField(name: string, schema: JsonSchema, isRequired: boolean): Field {
  const { title, description, default: defaultValue } = schema;
  const { hint, read } = readerOf(schema);
  const notes = [
    hint,
    defaultValue === undefined ? '' : `default ${String(defaultValue)}`,
    isRequired ? '' : 'optional',
  ];
  const note = notes.filter(Boolean).join('; ');
  const label = [title ?? name, description].filter(Boolean).join(', ');
  return { name, prompt: note ? `${label} (${note})` : label, isRequired, default: defaultValue, read };
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

/** Returns the options of a choice, which is an `enum`, or a `oneOf` or `anyOf` of constants. */
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
      const answers = text.split(',').map((part) => choose(part.trim(), options));
      return (
        answers.find((answer) => 'problem' in answer) ?? {
          value: answers.map((answer) => 'value' in answer && answer.value),
        }
      );
    },
  };
}

function toNumber(text: string, isAllowed: (value: number) => boolean): FieldAnswer {
  const value = Number(text);
  return isAllowed(value)
    ? { value }
    : { problem: isAllowed === Number.isInteger ? 'Enter a whole number.' : 'Enter a number.' };
}

function toBoolean(text: string): FieldAnswer {
  if (/^(?:y|yes|true)$/i.test(text)) return { value: true };
  return /^(?:n|no|false)$/i.test(text) ? { value: false } : { problem: 'Enter y or n.' };
}
