import type { JsonSchema } from '@mortise/plugin';
import { checkAnswer, type InputRequest, QuestionRefusedError } from '@mortise/plugin/runtime';
import { CliError } from '../shared/cli-error.js';
import { type ClientAnswer, pageAction } from './ask-in-terminal.js';
import { fieldsOf, parseField } from './elicitation-form.js';

/**
 * The answer that `--answer <key>=<text>` gives to a question: the one field of its form, a JSON object with all of them,
 * or `decline` or `cancel`.
 * @throws CliError for a text that does not answer the question
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

/** A command line asks no model, and has no roots. */
function unanswerable(method: string): CliError {
  return new CliError('usage', { message: `A command line cannot answer ${method}.` });
}

const ENDS = ['decline', 'cancel'] as const;

function formAnswer(key: string, text: string, schema: JsonSchema): ClientAnswer {
  const fields = fieldsOf(schema);
  const end = ENDS.find((action) => action === text.trim());
  if (end !== undefined) return { action: end };
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
  const read = parseField(field, text);
  if ('problem' in read) throw wrong(key, `is wrong: ${read.problem}`);
  return { action: 'accept', content: { [field.name]: read.value } };
}

/** The content, or a whole answer as MCP has it, unless `action` is a field of the form. */
function objectAnswer(key: string, text: string, names: readonly string[]): ClientAnswer {
  const object = parseObject(key, text);
  if (names.includes('action')) return { action: 'accept', content: object };
  const end = ENDS.find((action) => action === object.action);
  if (end !== undefined) return { action: end };
  const { action, content } = object;
  const isWhole = action === 'accept' && typeof content === 'object' && content !== null;
  return { action: 'accept', content: isWhole ? (content as Record<string, unknown>) : object };
}

function parseObject(key: string, text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw wrong(key, `is not valid JSON: ${(error as Error).message}`);
  }
}

const problem = (key: string, what: string) => ({
  message: `--answer ${key} ${what.replace(/\.$/, '')}.`,
  hint: `Write --answer ${key}=<value> for a form of one field, --answer '${key}={"field": "value"}' for all of them, or --answer ${key}=decline.`,
});

const wrong = (key: string, what: string) => new CliError('usage', problem(key, what));
