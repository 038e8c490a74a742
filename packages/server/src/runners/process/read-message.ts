import type { ErrorOutcome, PluginDefinition } from '@mortise/plugin/host';
import type { FromProcess, Loaded, Work } from '../../plugin-process/wire.js';

/** Whether a value has the shape that the server goes by; what is further inside is only passed on. */
type Check = (value: unknown) => boolean;

const string: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number';
const object: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
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
const described = { title: optional(string), description: optional(string) };
const problem = record({
  severity: oneOf('error', 'warning'),
  code: string,
  message: string,
  hint: string,
  place: record({ file: string, line: optional(number), column: optional(number), subject: optional(string) }),
});
const tool = record({
  ...described,
  name: string,
  inputSchema: object,
  outputSchema: optional(object),
  annotations: optional(object),
  timeoutMs: optional(number),
  listed: optional(oneOf(false)),
  origin: string,
});
const resource = record({
  ...described,
  uri: optional(string),
  uriTemplate: optional(string),
  name: string,
  mimeType: optional(string),
  completes: names,
});
const prompt = record({
  ...described,
  name: string,
  arguments: list(record({ name: string, description: optional(string) })),
  completes: names,
});
const definition = record({
  tools: list(tool),
  resources: list((value) => resource(value) && hasOneAddress(value as { uri?: string; uriTemplate?: string })),
  prompts: list(prompt),
  problems: list(problem),
});
const requests = map(record({ method: string, params: object }));
const error = record({ code: string, message: (value) => string(value) || object(value) });

const hasOneAddress = ({ uri, uriTemplate }: { uri?: string; uriTemplate?: string }) =>
  (uri === undefined) !== (uriTemplate === undefined);

/** A result of `kind` success has this member as a list of objects; the other kinds are the same for all. */
const outcome = (member: string): Check => {
  const kinds = new Map<unknown, Check>([
    ['success', record({ [member]: list(object) })],
    ['error', (value) => list(error)((value as ErrorOutcome).errors) && (value as ErrorOutcome).errors.length > 0],
    ['input_required', record({ requests })],
  ]);
  return (value) => object(value) && Boolean(kinds.get((value as { kind?: unknown }).kind)?.(value));
};
const loaded: Check = (value) =>
  object(value) && ('problem' in (value as Loaded) ? record({ problem })(value) : record({ definition })(value));
const completion = record({ values: names, total: optional(number), hasMore: optional(oneOf(true, false)) });
const nothing: Check = (value) => value === null;

const RESULTS: Record<Work['do'], Check> = {
  load: loaded,
  describe: loaded,
  call: outcome('content'),
  read: outcome('contents'),
  prompt: outcome('messages'),
  complete: completion,
  dispose: nothing,
  ping: nothing,
};

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'];

/** By the member that tells messages apart. */
const MESSAGES: Record<string, Check> = {
  done: record({ done: number }),
  progress: record({ progress: number, percent: number, message: optional(string) }),
  log: record({
    id: optional(number),
    log: record({ level: oneOf(...LEVELS), message: string, fields: optional(object), scope: optional(string) }),
  }),
  ask: record({ ask: number, id: number, requests }),
  definition: record({ definition }),
  resourceUpdated: record({ resourceUpdated: string }),
  reload: record({ reload: oneOf(true) }),
};
const KINDS = Object.entries(MESSAGES);

/** A message of a plugin's process; undefined when it is none: plugin code can write to the channel too. */
export function readFromProcess(value: unknown): FromProcess | undefined {
  if (!object(value)) return undefined;
  for (const [kind, check] of KINDS) {
    if (kind in (value as object)) return check(value) ? (value as FromProcess) : undefined;
  }
  return undefined;
}

/** Whether this can be what such work came to. */
export function isResultOf(work: Work['do'], value: unknown): boolean {
  return RESULTS[work](value);
}

/** Whether it is what a plugin offers, as data from outside. */
export function isPluginDefinition(value: unknown): value is PluginDefinition {
  return definition(value);
}
