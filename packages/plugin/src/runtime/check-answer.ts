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
 * Validates a client's answer against the schema of the question. The content of an accepted form is completed with the
 * schema's defaults, or replaced by the output of the Standard Schema.
 * @param question the key of the question, for messages
 * @param raw an answer of the right shape
 * @param validate the validator of the Standard Schema; without it, the form's JSON Schema is used
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
  const result = await (validate?.(content) ?? checkContent(params.requestedSchema as typeof content, content));
  if (result.issues) throw invalidAnswer(question, result.issues);
  return { ...raw, content: result.value };
}

/** The error if the client's answer has the wrong shape for its question. */
export function malformedAnswer(question: string, { method }: InputRequest): QuestionRefusedError {
  return invalidAnswer(question, [{ message: `it is not a valid result of ${method}` }]);
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
