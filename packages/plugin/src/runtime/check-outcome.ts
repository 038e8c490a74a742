import type { ErrorResult, LockInfo } from '../error-response.js';
import { isJsonObject, type JsonValue } from '../json.js';
import { blockFault, contentsFault } from './content-blocks.js';
import { describeValue } from './describe.js';
import { invalidResult, isCategory } from './error-outcome.js';
import { isInputRequest } from './input-requests.js';
import {
  type Check,
  type ChecksOf,
  integer,
  type Members,
  memberFault,
  members,
  must,
  object,
  text,
  unexpectedMember,
} from './member-checks.js';
import { isOnceResults } from './once-effects.js';
import type { ListOutcome, Outcome, PromptOutcome, ReadOutcome } from './outcome.js';
import { quoted } from './quoted.js';
import { isDeeper, MAX_DEPTH } from './to-json-value.js';

/**
 * Checks the outcome of a call that a plugin's process reports. An invalid one becomes TOOL_INVALID_RESULT: plugin code
 * can write to the same pipe as the code that converts results. Never throws.
 * @param value any JSON value
 */
export const checkOutcome = (value: unknown): Outcome => check(value, SUCCESS.call) as Outcome;
export const checkReadOutcome = (value: unknown): ReadOutcome => check(value, SUCCESS.read) as ReadOutcome;
/** Checks the outcome of listing a template's resources, but not the entries. */
export const checkListOutcome = (value: unknown): ListOutcome => check(value, SUCCESS.list) as ListOutcome;
export const checkPromptOutcome = (value: unknown): PromptOutcome => check(value, SUCCESS.prompt) as PromptOutcome;

/** Levels of nesting that the outcome itself adds. */
const OWN_LEVELS = 10;

function check(value: unknown, success: Members): Outcome | ReadOutcome | ListOutcome | PromptOutcome {
  const fault = faultOf(value, success);
  return fault === undefined ? (value as Outcome) : invalidResult(`an invalid result: ${fault}`);
}

function faultOf(value: unknown, success: Members): string | undefined {
  if (!isJsonObject(value)) return `it is ${describeValue(value)}, not an outcome`;
  const expected = value.kind === 'success' ? success : OTHER_KINDS.get(value.kind);
  if (!expected) return 'its kind is not success, error or input_required';
  const unexpected = unexpectedMember(value, expected);
  if (unexpected !== undefined) return `it has the unknown member ${quoted(unexpected)}`;
  return isDeeper(value, MAX_DEPTH + OWN_LEVELS) ? 'it is nested too deeply' : memberFault(value, expected);
}

/** The check of a list. Its message says which item is wrong, and why. */
const listOf =
  (what: string, faultOfItem: (item: JsonValue) => string | undefined, least = 0): Check =>
  (value) => {
    if (!Array.isArray(value) || value.length < least) return what;
    for (let i = 0; i < value.length; i++) {
      const fault = faultOfItem(value[i]!);
      if (fault !== undefined) return `${what}: [${i}] ${fault}`;
    }
    return undefined;
  };
const mapOf = (what: string, isValid: (value: JsonValue) => boolean): Check =>
  must(what, (value) => isJsonObject(value) && Object.values(value).every(isValid));
const record =
  (what: string, expected: Members): Check =>
  (value) => {
    const fault = isJsonObject(value) ? memberFault(value, expected) : 'it is not an object';
    return fault === undefined ? undefined : `${what}: ${fault}`;
  };

const isText = (value: JsonValue) => typeof value === 'string';
const texts = must('a list of strings', (value) => Array.isArray(value) && value.every(isText));
const boolean = must('a boolean', (value) => typeof value === 'boolean');

/** A string, or a value that becomes a string after redaction. */
const outputText = must(
  'a string',
  (value) => isText(value) || (isJsonObject(value) && Object.keys(value).length === 1 && Object.hasOwn(value, 'json')),
);
const JSON_BLOCK = members({
  type: text,
  value: () => undefined,
  indent: must('0 or 2', (value) => value === 0 || value === 2),
});

const blocks = listOf('a list of content blocks', (block) =>
  isJsonObject(block) && block.type === 'json' ? memberFault(block, JSON_BLOCK) : blockFault(block),
);
const messages = listOf('a list of messages', (message) => {
  if (!isJsonObject(message)) return 'is not an object';
  if (message.role !== 'user' && message.role !== 'assistant') return "has a role that is not 'user' or 'assistant'";
  const fault = blockFault(message.content);
  return fault && `has content that is invalid: ${fault}`;
});

const DATA = members({
  'command?': text,
  'exitCode?': integer,
  'stderr?': text,
  'additionalData?': mapOf('an object of strings', isText),
});
const ERROR_ITEM = members({
  code: text,
  message: outputText,
  'category?': must('a category', isCategory),
  'rawOutput?': outputText,
  'hint?': text,
  'explanation?': text,
  'documentationUrl?': text,
  'suggestedFixes?': texts,
  'alternatives?': texts,
  'mcpErrorCode?': integer,
  'data?': record('the data of an error', DATA),
  'file?': text,
  'line?': integer,
  'column?': integer,
  'rootCauseKind?': text,
  'recommendedAction?': must('a string or an object', (value) => isText(value) || isJsonObject(value)),
} satisfies ChecksOf<Partial<ErrorResult> & Pick<ErrorResult, 'code' | 'message'>>);
const LOCK = members({
  lockScope: text,
  lockKey: text,
  'lockContended?': boolean,
  'lockWaitedMs?': integer,
} satisfies ChecksOf<LockInfo>);

const errors = listOf(
  'a list of at least one error',
  (error) => {
    if (!isJsonObject(error)) return 'is not an object';
    const unexpected = unexpectedMember(error, ERROR_ITEM);
    const fault = unexpected === undefined ? memberFault(error, ERROR_ITEM) : undefined;
    if (unexpected !== undefined) return `has the unknown member ${quoted(unexpected)}`;
    return fault && `is invalid: ${fault}`;
  },
  1,
);

const kind = text;
const SUCCESS = {
  call: members({
    kind,
    content: blocks,
    'contentIsText?': boolean,
    'structured?': object,
    'metadata?': object,
    'meta?': object,
    'command?': text,
    'exitCode?': integer,
    'output?': text,
  }),
  read: members({ kind, contents: listOf('a list of contents', contentsFault) }),
  list: members({ kind, resources: must('a list', (value) => Array.isArray(value)) }),
  prompt: members({ kind, 'description?': text, messages }),
};
const ERROR = members({
  kind,
  errors,
  'summary?': text,
  'exitCode?': integer,
  'content?': blocks,
  'partialResult?': object,
  'metadata?': object,
  'meta?': object,
  'lockInfo?': record('information about a lock', LOCK),
  'output?': text,
  'requiredCapabilities?': mapOf('an object of capabilities', isJsonObject),
});
const INPUT_REQUIRED = members({
  kind,
  requests: mapOf('an object of requests that a client knows', isInputRequest),
  'onceResults?': must('an object of results of at most 65,536 characters', isOnceResults),
});
const OTHER_KINDS: ReadonlyMap<unknown, Members> = new Map([
  ['error', ERROR],
  ['input_required', INPUT_REQUIRED],
]);
