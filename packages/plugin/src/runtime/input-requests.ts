import { randomUUID } from 'node:crypto';
import type {
  ClientCapabilities,
  ElicitAnswer,
  ElicitUrlAnswer,
  InputQuestion,
  Root,
  SampleAnswer,
} from '../call-context.js';
import { isJsonObject, type JsonObject } from '../json.js';
import { FAILURE, type FailureDetails } from '../result-details.js';
import { readQuestionSchema } from '../schemas/question-schema.js';
import type { ReadSchema } from '../schemas/read-schema.js';
import { describeValue } from './describe.js';
import type { InputRequest } from './outcome.js';
import { toJsonValue } from './to-json-value.js';

/** One kind of question: the request to the client, and the form of its answer. */
export interface InputKind {
  capability: 'elicitation' | 'sampling' | 'roots';
  /** The action that the client cannot perform without the capability. */
  action: string;
  alternatives: string[];
  /** Returns the capabilities that the request needs, as in MCP's requiredCapabilities. */
  required(request: InputRequest): JsonObject;
  isAvailable(capabilities: ClientCapabilities, request: InputRequest): boolean;
  /** @throws TypeError for a malformed question */
  request(question: JsonObject): InputRequest;
  /** The answer, or undefined if it has the wrong shape. */
  answer(raw: unknown): ElicitAnswer | ElicitUrlAnswer | SampleAnswer | Root[] | undefined;
}

const WEB_URL = /^https?:\/\//i;
const TOOLS: JsonObject = { tools: {} };
const isPresent = (value: unknown): boolean => value !== undefined && value !== null;
const needsTools = ({ params }: InputRequest) => params.tools !== undefined || params.toolChoice !== undefined;
const needsUrl = ({ params }: InputRequest) => params.mode === 'url';

export const INPUT_KINDS: Record<'elicit' | 'elicitUrl' | 'sample' | 'roots', InputKind> = {
  elicit: {
    capability: 'elicitation',
    action: 'show a form to the user',
    alternatives: ['Pass the values as arguments of the tool', 'Use a client that supports MCP elicitation'],
    required: (request): JsonObject => ({ elicitation: needsUrl(request) ? { url: {} } : { form: {} } }),
    isAvailable: ({ elicitation }, request) =>
      needsUrl(request)
        ? isPresent(elicitation?.url)
        : isPresent(elicitation) && (isPresent(elicitation?.form) || !isPresent(elicitation?.url)),
    request: ({ message, schema }) => {
      if (typeof message !== 'string' || !isJsonObject(schema))
        throw new TypeError('elicit expects {message: string, schema: a Standard Schema or JSON Schema}.');
      return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema: schema } };
    },
    answer: (raw) => {
      if (!isJsonObject(raw)) return undefined;
      const { action, content = {} } = raw;
      if (action === 'accept') return isJsonObject(content) ? { action, content } : undefined;
      return action === 'decline' || action === 'cancel' ? { action } : undefined;
    },
  },
  elicitUrl: {
    capability: 'elicitation',
    action: 'ask the user to open a page',
    alternatives: ['Show the URL in the result of the tool', 'Use a client that supports MCP elicitation by URL'],
    required: (): JsonObject => ({ elicitation: { url: {} } }),
    isAvailable: ({ elicitation }) => isPresent(elicitation?.url),
    request: ({ message, url }) => {
      if (typeof message !== 'string' || typeof url !== 'string' || !WEB_URL.test(url) || !URL.canParse(url))
        throw new TypeError('elicitUrl expects {message: string, url: an http or https URL}.');
      // With protocol 2025-11-25 the server uses this id to tell the client that the user has finished with the page.
      return { method: 'elicitation/create', params: { mode: 'url', message, url, elicitationId: randomUUID() } };
    },
    answer: (raw) => {
      const action = isJsonObject(raw) ? raw.action : undefined;
      return action === 'accept' || action === 'decline' || action === 'cancel' ? { action } : undefined;
    },
  },
  sample: {
    capability: 'sampling',
    action: 'ask its model',
    alternatives: ['Call a model provider from the tool', 'Use a client that supports MCP sampling'],
    required: (request): JsonObject => ({ sampling: needsTools(request) ? TOOLS : {} }),
    isAvailable: ({ sampling }, request) => isPresent(sampling) && (!needsTools(request) || isPresent(sampling?.tools)),
    request: (params) => {
      if (!Array.isArray(params.messages) || !Number.isInteger(params.maxTokens)) {
        throw new TypeError('sample expects {messages: [{role, content}], maxTokens: integer}.');
      }
      return { method: 'sampling/createMessage', params };
    },
    answer: (raw) => {
      if (!isJsonObject(raw) || (raw.role !== 'user' && raw.role !== 'assistant')) return undefined;
      const { content } = raw;
      const isContent = Array.isArray(content) ? content.every(isJsonObject) : isJsonObject(content);
      return isContent ? (raw as unknown as SampleAnswer) : undefined;
    },
  },
  roots: {
    capability: 'roots',
    action: 'list its workspace folders',
    alternatives: ['Pass the paths as arguments of the tool', 'Use a client that supports MCP roots'],
    required: () => ({ roots: {} }),
    isAvailable: ({ roots }) => isPresent(roots),
    request: () => ({ method: 'roots/list', params: {} }),
    answer: (raw) => {
      const roots = isJsonObject(raw) ? raw.roots : undefined;
      const isRoot = (root: unknown) => isJsonObject(root) && typeof root.uri === 'string';
      return Array.isArray(roots) && roots.every(isRoot) ? (roots as unknown as Root[]) : undefined;
    },
  },
};

/** Checks the members that a client needs in the params of a request from a plugin's process or a mounted server. */
const REQUESTS: Record<InputRequest['method'], (params: JsonObject) => boolean> = {
  'elicitation/create': ({ message, mode, url, requestedSchema }) =>
    typeof message === 'string' && (mode === 'url' ? typeof url === 'string' : isForm(requestedSchema)),
  'sampling/createMessage': ({ messages, maxTokens }) =>
    Array.isArray(messages) && messages.every(isJsonObject) && Number.isFinite(maxTokens),
  'roots/list': () => true,
};

const isForm = (schema: unknown): boolean =>
  isJsonObject(schema) && (schema.properties === undefined || isJsonObject(schema.properties));

export const isInputMethod = (method: unknown): method is InputRequest['method'] =>
  typeof method === 'string' && Object.hasOwn(REQUESTS, method);

/** True for a valid question to a client. @param value any JSON value */
export function isInputRequest(value: unknown): value is InputRequest {
  if (!isJsonObject(value)) return false;
  const { method, params } = value;
  return isInputMethod(method) && isJsonObject(params) && REQUESTS[method](params);
}

export interface PreparedQuestion {
  kind: InputKind;
  request: InputRequest;
  validate?: ReadSchema['validate'];
}

/** @throws TypeError if the question is malformed */
export function prepareQuestion(key: string, question: InputQuestion): PreparedQuestion {
  for (const [name, kind] of Object.entries(INPUT_KINDS)) {
    const value = (question as Record<string, unknown> | null)?.[name];
    if (value === undefined) continue;
    const schema = name === 'elicit' ? (value as { schema?: unknown } | null)?.schema : undefined;
    const form = schema == null ? undefined : readQuestionSchema(schema, key);
    const plain = toJsonValue(form ? { ...value, schema: form.json } : value);
    const request = kind.request(isJsonObject(plain) ? plain : {});
    return { kind, request, ...(form?.validate && { validate: form.validate }) };
  }
  throw new TypeError(
    `A question must be {elicit}, {elicitUrl}, {sample} or {roots: true}, not ${describeValue(question)}.`,
  );
}

/**
 * Thrown in the tool if the client cannot answer. If the tool does not catch it, the call fails with
 * CAPABILITY_NOT_AVAILABLE.
 */
export class MissingCapabilityError extends Error {
  readonly [FAILURE]: FailureDetails;

  constructor(missing: PreparedQuestion[]) {
    const { kind } = missing[0]!;
    const reason = `the client did not declare it, so it cannot ${kind.action}`;
    const message = `The '${kind.capability}' capability is not available: ${reason}`;
    super(message);
    this.name = 'MissingCapabilityError';
    this[FAILURE] = {
      message,
      errors: [
        {
          code: 'CAPABILITY_NOT_AVAILABLE',
          message,
          category: 'Capability',
          hint: 'Consider using one of the suggested alternatives.',
          explanation: `The tool needs the client to ${kind.action} before it can continue.`,
          alternatives: kind.alternatives,
          rawOutput: '',
          mcpErrorCode: -32603,
          data: { exitCode: -1, additionalData: { feature: kind.capability, reason } },
        },
      ],
      exitCode: -1,
      requiredCapabilities: Object.assign({}, ...missing.map(({ kind, request }) => kind.required(request))),
    };
  }
}
