import { isDeepStrictEqual } from 'node:util';
import {
  type Completion,
  checkListOutcome,
  checkOutcome,
  checkPromptOutcome,
  checkReadOutcome,
  isJsonObject,
  LOG_LEVELS,
  type PluginDefinition,
  type PluginResults,
  parseProblems,
} from '@mortise/plugin/runtime';
import { checkDefinition, type DefinitionSource, isSettingsRequest } from '../../plugins/load/check-definition.js';
import type { FromWorker, Loaded, LoadRequest, WorkerRequest } from './protocol.js';

/** Returns whether a value has the shape that the server relies on. Deeper parts are only passed on. */
type Check = (value: unknown) => boolean;

const string: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number';
/** JSON.parse reads a number such as 1e999 as Infinity. */
const finite: Check = Number.isFinite;
const positive: Check = (value) => finite(value) && (value as number) > 0;
const object: Check = isJsonObject;
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const oneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value);
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const map =
  (check: Check): Check =>
  (value) =>
    object(value) && Object.values(value as object).every(check);
const record = (members: Record<string, Check>): Check => {
  const checks = Object.entries(members);
  return (value) => object(value) && checks.every(([name, check]) => check((value as Record<string, unknown>)[name]));
};

const names = list(string);
/** `checkDefinition` checks the entries of these lists. */
const definition = record({
  tools: Array.isArray,
  resources: Array.isArray,
  prompts: Array.isArray,
  problems: Array.isArray,
});
const requests = map(record({ method: string, params: object }));
const progressReport = record({ done: finite, total: optional(positive), message: optional(string) });
const completion = record({ values: names, total: optional(number), hasMore: optional(oneOf(true, false)) });

/** Reads the result of each kind of work. Returns undefined for a value that is not such a result. */
const RESULTS: { [K in keyof PluginResults]: (value: unknown) => PluginResults[K] | undefined } = {
  call: checkOutcome,
  read: checkReadOutcome,
  list: checkListOutcome,
  prompt: checkPromptOutcome,
  complete: (value) => (completion(value) ? (value as Completion) : undefined),
};

/** Reads and checks the response to `load` or `discover`. @returns undefined for a value that is not such a response */
export async function parseLoaded(
  value: unknown,
  known: PluginDefinition | undefined,
  source: DefinitionSource,
): Promise<Loaded | undefined> {
  if (!object(value)) return undefined;
  const loaded = value as { definition?: unknown; problem?: unknown };
  if (loaded.problem === undefined) {
    if (!definition(loaded.definition)) return undefined;
    // Usually the definition is the cached one. To check its schemas again would take longer than the call that waits.
    const isKnown = known && isDeepStrictEqual(loaded.definition, known);
    return { definition: isKnown ? known : await checkDefinition(loaded.definition, source) };
  }
  const [problem] = parseProblems([loaded.problem], source);
  return problem && { problem };
}

/** The checks of messages, by the member that identifies the kind of message. */
const MESSAGES: Record<string, Check> = {
  done: record({ done: number }),
  progress: record({ progress: number, report: progressReport }),
  log: record({
    id: optional(number),
    log: record({ level: oneOf(...LOG_LEVELS), message: string, fields: optional(object), scope: optional(string) }),
  }),
  ask: record({ ask: number, id: number, requests }),
  elicited: record({ elicited: string, id: number }),
  definition: record({ definition }),
  settings: record({ settings: number, request: isSettingsRequest }),
  resourceUpdated: record({ resourceUpdated: string }),
  resourceListChanged: record({ resourceListChanged: oneOf(true) }),
  reload: record({ reload: oneOf(true) }),
};
const KINDS = Object.entries(MESSAGES);

/**
 * Reads a message of a plugin's process.
 * @returns undefined for any other value, because plugin code can write to the channel, too
 */
export function parseFromWorker(value: unknown): FromWorker | undefined {
  if (!object(value)) return undefined;
  for (const [kind, check] of KINDS) {
    if (kind in (value as object)) return check(value) ? (value as FromWorker) : undefined;
  }
  return undefined;
}

/** Reads the response to any request except loading. @returns undefined for a value that is not such a response */
export function parseResult(
  request: Exclude<WorkerRequest, { request: LoadRequest }>,
  value: unknown,
): PluginResults[keyof PluginResults] | null | undefined {
  if (request.do === 'run') return RESULTS[request.work.do](value);
  return value === null ? null : undefined;
}
