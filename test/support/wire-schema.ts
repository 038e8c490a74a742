import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export type Revision = '2025-11-25' | '2026-07-28';

/** A JSON-RPC message as it may have come; nothing is certain about it. */
export interface WireMessage {
  id?: string | number;
  method?: string;
  params?: { _meta?: Record<string, unknown>; [name: string]: unknown };
  // biome-ignore lint/suspicious/noExplicitAny: nothing is certain about it
  result?: any;
  error?: { code?: number; data?: object };
}

/** What is wrong with a message of a server by the JSON schema of one revision; nothing when it is valid. */
export interface WireSchema {
  ofRequestOrNotification(message: WireMessage): string[];
  /** @param method of the request that it answers; undefined when it answers none */
  ofResponse(message: WireMessage, method: string | undefined): string[];
}

interface Definition {
  anyOf?: { $ref: string }[];
  properties?: Record<string, { const?: unknown; type?: string; allOf?: Definition[] }>;
}

const FORMATS = {
  // The expression repeats no group, because a repeated group overflows the stack for a screenshot.
  byte: (text: string) => text.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(text),
  uri: (text: string) => URL.canParse(text),
  'uri-template': true,
} as const;

const TASK = {
  type: 'object',
  required: ['taskId', 'status', 'createdAt', 'lastUpdatedAt', 'ttlMs'],
  properties: {
    taskId: { type: 'string' },
    statusMessage: { type: 'string' },
    createdAt: { type: 'string' },
    lastUpdatedAt: { type: 'string' },
    ttlMs: { type: ['integer', 'null'] },
    pollIntervalMs: { type: 'integer' },
  },
};
const taskState = (status: string, more: object = {}) => ({
  ...{ properties: { status: { const: status }, ...more }, required: ['status', ...Object.keys(more)] },
});
const DETAILED_TASK = {
  allOf: [TASK],
  oneOf: [
    taskState('working'),
    taskState('cancelled'),
    taskState('input_required', { inputRequests: { $ref: '#/$defs/InputRequests' } }),
    taskState('completed', { result: { $ref: '#/$defs/CallToolResult' } }),
    taskState('failed', { error: { $ref: '#/$defs/Error' } }),
  ],
};
/** What the tasks extension adds (docs/spec/protocol.md#tasks). */
const TASK_DEFS = {
  CreateTaskResult: { allOf: [TASK, { $ref: '#/$defs/Result' }], properties: { resultType: { const: 'task' } } },
  GetTaskResult: {
    allOf: [DETAILED_TASK, { $ref: '#/$defs/Result' }],
    properties: { resultType: { const: 'complete' } },
  },
  TaskStatusNotification: { type: 'object', required: ['params'], properties: { params: DETAILED_TASK } },
} as unknown as Record<string, Definition>;

const loaded = new Map<Revision, WireSchema>();

export function wireSchema(revision: Revision): WireSchema {
  const schema = loaded.get(revision) ?? loadSchema(revision);
  loaded.set(revision, schema);
  return schema;
}

function loadSchema(revision: Revision): WireSchema {
  const file = new URL(`../conformance/schema/${revision}.json`, import.meta.url);
  const { $defs: defs, ...schema } = JSON.parse(readFileSync(file, 'utf8')) as { $defs: Record<string, Definition> };
  if (revision === '2025-11-25') allowFractions(defs);
  else Object.assign(defs, TASK_DEFS);
  const ajv = new Ajv2020({ strict: false, validateSchema: false, formats: FORMATS });
  const $id = `mcp://${revision}/schema.json`;
  ajv.addSchema({ ...schema, $id, $defs: defs });

  const validators = new Map<string, ValidateFunction>();
  const faults = (name: string, value: unknown): string[] => {
    if (!Object.hasOwn(defs, name)) return [`${revision} has no ${name}`];
    const validate = validators.get(name) ?? ajv.compile({ $ref: `${$id}#/$defs/${name}` });
    validators.set(name, validate);
    return validate(value) ? [] : [ajv.errorsText(validate.errors, { dataVar: name })];
  };

  const fromServer = new Map([...byMethod(defs, 'ServerRequest'), ...byMethod(defs, 'ServerNotification')]);
  const fromClient = byMethod(defs, 'ClientRequest');
  if (revision === '2026-07-28') {
    fromServer.set('notifications/tasks', 'TaskStatusNotification');
    fromClient.set('tasks/get', 'GetTaskRequest');
  }
  const errors = errorsByCode(defs);

  return {
    ofRequestOrNotification(message) {
      const name = fromServer.get(message.method);
      const envelope = message.id === undefined ? 'JSONRPCNotification' : 'JSONRPCRequest';
      if (name === undefined) return [`a server may not send ${message.method} with ${revision}`];
      return [...faults(envelope, message), ...faults(name, message)];
    },
    ofResponse(message, method) {
      if (message.error !== undefined) {
        return faults(errors.get(message.error?.code) ?? 'JSONRPCErrorResponse', message);
      }
      const isOpen = message.result?.resultType === 'input_required';
      const complete = fromClient.get(method)?.replace(/Request$/, 'Result') ?? 'EmptyResult';
      const isTask = message.result?.resultType === 'task';
      const result = isTask
        ? 'CreateTaskResult'
        : isOpen
          ? 'InputRequiredResult'
          : Object.hasOwn(defs, complete)
            ? complete
            : 'EmptyResult';
      return [...faults('JSONRPCResultResponse', message), ...faults(result, message.result)];
    },
  };
}

/** In schema.json of 2025-11-25 the default and the limits of a number are integers; in its schema.ts they are numbers. */
function allowFractions({ NumberSchema }: Record<string, Definition>): void {
  for (const name of ['default', 'minimum', 'maximum']) NumberSchema!.properties![name]!.type = 'number';
}

/** Method → definition, of those in a union. */
function byMethod(defs: Record<string, Definition>, union: string): Map<unknown, string> {
  const names = (defs[union]?.anyOf ?? []).map(({ $ref }) => $ref.slice('#/$defs/'.length));
  return new Map(names.map((name) => [defs[name]?.properties?.method?.const, name]));
}

/** Code → definition, of the errors that have a shape of their own. */
function errorsByCode(defs: Record<string, Definition>): Map<unknown, string> {
  const codeOf = ({ properties }: Definition) =>
    properties?.error?.allOf?.map((part) => part.properties?.code?.const).find((code) => code !== undefined);
  return new Map(
    Object.entries(defs)
      .map(([name, definition]) => [codeOf(definition), name] as const)
      .filter(([code]) => code !== undefined),
  );
}
