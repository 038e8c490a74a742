import type { ElicitRequest, JsonSchema, SampleRequest } from '@mortise/plugin';

/** A form of one required field. */
export function ask(message: string, field: string, type: 'string' | 'boolean' = 'string'): ElicitRequest {
  return { message, schema: { type: 'object', properties: { [field]: { type } }, required: [field] } };
}

/** A question to the client's model. */
export function prompt(text: string, maxTokens = 100): SampleRequest {
  return { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens };
}

export const CONTACT: JsonSchema = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" },
  },
  required: ['username', 'email'],
};

/** A default for each primitive type (SEP-1034). */
export const DEFAULTS: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};

const OPTIONS = ['option1', 'option2', 'option3'];
const titled = (noun: string) =>
  ['First', 'Second', 'Third'].map((ordinal, index) => ({ const: `value${index + 1}`, title: `${ordinal} ${noun}` }));

/** The five kinds of enum (SEP-1330). */
export const ENUMS: JsonSchema = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: OPTIONS },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
    titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
  },
};
