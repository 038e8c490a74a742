import type { JsonSchema } from '@mortise/plugin';
import { checkAnswer, type InputRequest, QuestionRefusedError } from '@mortise/plugin/runtime';
import { CliError } from '../shared/cli-error.js';
import { type ClientAnswer, pageAction } from './ask-in-terminal.js';
import { fieldsOf, parseField } from './elicitation-form.js';

/**
 * Reads the answer to a question from `--answer <key>=<text>`. The text is the value of the form's only field, a JSON
 * object with all fields, `decline` or `cancel`.
 * @throws CliError if the text does not answer the question
 */
export async function preparedAnswer(key: string, text: string, request: InputRequest): Promise<ClientAnswer> {
  const { method, params } = request;
  if (method !== 'elicitation/create') throw unanswerable(method);
  if (params.mode === 'url') {
    const action = pageAction(text);
    if (action !== undefined) return { action };
    throw wrong(key, 'must be accept, decline or cancel: the question is for a page');
  }
  const answer = formAnswer(key, text, params.requestedSchema as JsonSchema);
  try {
    return await checkAnswer(key, request, answer);
  } catch (error) {
    if (!(error instanceof QuestionRefusedError)) throw error;
    throw new CliError('usage', ...error.errors.map(({ message }) => problem(key, `is wrong: ${message}`)));
  }
}

/** A command line can only answer questions: it has no roots, and no model for sampling. */
function unanswerable(method: string): CliError {
  return new CliError('usage', { message: `A command line cannot answer ${method}.` });
}

const REFUSALS = ['decline', 'cancel'] as const;

function formAnswer(key: string, text: string, schema: JsonSchema): ClientAnswer {
  const fields = fieldsOf(schema);
  const refusal = REFUSALS.find((action) => action === text.trim());
  if (refusal !== undefined) return { action: refusal };
  if (text.trimStart().startsWith('{'))
    return objectAnswer(
      key,
      text,
      fields.map(({ name }) => name),
    );
  const [field, ...others] = fields;
  if (field === undefined) return { action: 'accept', content: {} };
  if (others.length > 0) {
    const names = fields.map(({ name }) => name).join(', ');
    throw wrong(key, `must be a JSON object: the question has the fields ${names}`);
  }
  const answer = parseField(field, text);
  if ('problem' in answer) throw wrong(key, `is wrong: ${answer.problem}`);
  return { action: 'accept', content: { [field.name]: answer.value } };
}

/**
 * Reads an object of fields, or a complete MCP answer with `action` and `content`. If the form has a field `action`,
 * the object contains fields.
 */
function objectAnswer(key: string, text: string, names: readonly string[]): ClientAnswer {
  const object = parseObject(key, text);
  if (names.includes('action')) return { action: 'accept', content: object };
  const refusal = REFUSALS.find((action) => action === object.action);
  if (refusal !== undefined) return { action: refusal };
  const { action, content } = object;
  const isCompleteAnswer = action === 'accept' && typeof content === 'object' && content !== null;
  return { action: 'accept', content: isCompleteAnswer ? (content as Record<string, unknown>) : object };
}

function parseObject(key: string, text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw wrong(key, `is not valid JSON: ${(error as Error).message}`);
  }
}

/** @param predicate the rest of the sentence that begins with the option */
const problem = (key: string, predicate: string) => ({
  message: `--answer ${key} ${predicate.replace(/\.$/, '')}.`,
  hint: `Write --answer ${key}=<value> for a form of one field, --answer '${key}={"field": "value"}' for all of them, or --answer ${key}=decline.`,
});

const wrong = (key: string, predicate: string) => new CliError('usage', problem(key, predicate));
