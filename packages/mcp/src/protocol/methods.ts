import type { Params } from '../json-rpc/messages.js';
import { type CheckedParams, type ParamRules, paramsCheck } from './params.js';
import type { Meta } from './types.js';
import type { Generation } from './versions.js';

/** The rule of a method, which is applied before its handler runs. */
export interface MethodRule {
  readonly generations: readonly Generation[];
  /** This package answers the method; it needs no handler of the server. */
  readonly isBuiltIn?: true;
  /** The types of its parameters. Parameters that are not named are not checked. */
  readonly params?: ParamRules;
  /** Its results of 2026-07-28 have a cache hint, which `cacheHints` of the server's options sets. */
  readonly isCacheable?: true;
  /** The parameter that the header `Mcp-Name` repeats (2026-07-28). */
  readonly nameParam?: 'name' | 'uri' | 'taskId';
}

const BOTH: readonly Generation[] = ['session', 'stateless'];
const SESSION: readonly Generation[] = ['session'];
const STATELESS: readonly Generation[] = ['stateless'];

/**
 * All methods that a client can call, for every protocol version and transport (docs/spec/protocol.md#methods).
 * The result of a method is a member of `Results` (types.ts). `core/built-in-methods.ts` and `core/task-methods.ts` answer the
 * methods with `isBuiltIn`; the handlers of a server answer the others. After a change, run `npm run generate`.
 */
export const METHODS = {
  initialize: { generations: SESSION, isBuiltIn: true },
  ping: { generations: SESSION, isBuiltIn: true },
  'server/discover': { generations: STATELESS, isBuiltIn: true, isCacheable: true },
  'tools/list': { generations: BOTH, params: { cursor: 'string?' }, isCacheable: true },
  'tools/call': { generations: BOTH, params: { name: 'string', arguments: 'object?' }, nameParam: 'name' },
  'resources/list': { generations: BOTH, params: { cursor: 'string?' }, isCacheable: true },
  'resources/templates/list': { generations: BOTH, params: { cursor: 'string?' }, isCacheable: true },
  'resources/read': { generations: BOTH, params: { uri: 'string' }, nameParam: 'uri', isCacheable: true },
  'resources/subscribe': { generations: SESSION, isBuiltIn: true, params: { uri: 'string' } },
  'resources/unsubscribe': { generations: SESSION, isBuiltIn: true, params: { uri: 'string' } },
  'prompts/list': { generations: BOTH, params: { cursor: 'string?' }, isCacheable: true },
  'prompts/get': { generations: BOTH, params: { name: 'string', arguments: 'strings?' }, nameParam: 'name' },
  'completion/complete': {
    generations: BOTH,
    params: { ref: 'completionReference', argument: 'completionArgument', context: 'completionContext?' },
  },
  'logging/setLevel': { generations: SESSION, isBuiltIn: true, params: { level: 'level' } },
  'tasks/get': { generations: STATELESS, isBuiltIn: true, params: { taskId: 'string' }, nameParam: 'taskId' },
  'tasks/update': {
    generations: STATELESS,
    isBuiltIn: true,
    params: { taskId: 'string', inputResponses: 'object' },
    nameParam: 'taskId',
  },
  'tasks/cancel': { generations: STATELESS, isBuiltIn: true, params: { taskId: 'string' }, nameParam: 'taskId' },
  'subscriptions/listen': {
    generations: STATELESS,
    isBuiltIn: true,
    params: { notifications: 'subscriptionFilter' },
  },
} as const satisfies Record<string, MethodRule>;

export type Method = keyof typeof METHODS;

/** The methods that this package answers itself. */
export type BuiltInMethod = {
  [M in Method]: (typeof METHODS)[M] extends { readonly isBuiltIn: true } ? M : never;
}[Method];

/** The methods of the tasks extension. */
export type TaskMethod = Extract<Method, `tasks/${string}`>;

/** The parameters of a method, as its rule has checked them. */
export type ParamsOf<M extends Method> = { readonly _meta?: Meta } & ((typeof METHODS)[M] extends {
  readonly params: infer Rules;
}
  ? CheckedParams<Rules>
  : unknown);

/** A rule whose check of the parameters is ready to use. */
export interface ReadyRule extends MethodRule {
  /** @throws RpcError −32602 that names the parameter and its problem */
  check?(params: Params): void;
}

// With this annotation a bundler leaves out the checks in programs that need only the table, such as the workbench.
const READY: Readonly<Record<Generation, Readonly<Record<string, ReadyRule>>>> = {
  session: /* @__PURE__ */ readyRules('session'),
  stateless: /* @__PURE__ */ readyRules('stateless'),
};

function readyRules(generation: Generation): Readonly<Record<string, ReadyRule>> {
  const rules: Record<string, ReadyRule> = Object.create(null);
  for (const [method, rule] of Object.entries<MethodRule>(METHODS)) {
    if (!rule.generations.includes(generation)) continue;
    rules[method] = { ...rule, ...(rule.params && { check: paramsCheck(rule.params) }) };
  }
  return rules;
}

/** The rule of a method, or undefined if the generation does not have the method. */
export function methodRule(method: string, generation: Generation): ReadyRule | undefined {
  return READY[generation][method];
}
