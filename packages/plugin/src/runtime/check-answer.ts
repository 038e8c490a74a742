import { ERROR_CODES } from '../error-codes.js';
import type { ErrorResult } from '../error-response.js';
import { isJsonObject } from '../json.js';
import { checkContent } from '../schemas/question-schema.js';
import type { ReadSchema } from '../schemas/read-schema.js';
import { pointerOf } from '../schemas/schema-issues.js';
import type { StandardIssue } from '../standard-schema.js';
import type { InputRequest } from './outcome.js';
import { QuestionRefusedError } from './question-refused-error.js';

const MAX_ISSUES = 10;

/**
 * Checks a client's answer by the schema of the question. For a form that the user accepted, the content gets the defaults of the schema, and
 * what a Standard Schema makes of it.
 * @param question how messages name it: its key
 * @param raw with the members that such an answer must have
 * @param validate of the Standard Schema, which alone judges if there is one
 * @throws QuestionRefusedError ANSWER_INVALID, with an error for each field
 */
export async function checkAnswer<T>(
  question: string,
  { method, params }: InputRequest,
  raw: T,
  validate?: ReadSchema['validate'],
): Promise<T> {
  const isForm = method === 'elicitation/create' && params.mode !== 'url' && isJsonObject(params.requestedSchema);
  if (!isForm || !isJsonObject(raw) || raw.action !== 'accept') return raw;
  const content = raw.content ?? {};
  if (!isJsonObject(content)) throw invalidAnswer(question, [{ message: 'must be an object' }]);
  const checked = await (validate?.(content) ?? checkContent(params.requestedSchema as typeof content, content));
  if (checked.issues) throw invalidAnswer(question, checked.issues);
  return { ...raw, content: checked.value };
}

/** What came is not an answer to such a request. */
export function noAnswer(question: string, { method }: InputRequest): QuestionRefusedError {
  return invalidAnswer(question, [{ message: `it is not a result of ${method}` }]);
}

function invalidAnswer(question: string, issues: readonly StandardIssue[]): QuestionRefusedError {
  return new QuestionRefusedError(issues.slice(0, MAX_ISSUES).map((issue) => answerError(question, issue)));
}

function answerError(question: string, { message, path }: StandardIssue): ErrorResult {
  const { category, mcpErrorCode, hint } = ERROR_CODES.ANSWER_INVALID;
  const field = pointerOf(path);
  return {
    code: 'ANSWER_INVALID',
    message: `The answer to '${question}' does not fit the question: ${field === '' ? '' : `'${field}' `}${message}`,
    category,
    hint,
    mcpErrorCode,
    rawOutput: '',
    data: { exitCode: -1, additionalData: { question, ...(field !== '' && { field }) } },
  };
}
