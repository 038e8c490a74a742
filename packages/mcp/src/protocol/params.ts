import type { Params } from '../json-rpc/messages.js';
import { invalidParams } from '../json-rpc/rpc-error.js';
import { isObject, kindOf } from '../json-rpc/values.js';
import { LOGGING_LEVELS, type LoggingLevel } from './logging-levels.js';
import type { CompletionReference, SubscriptionFilter } from './types.js';

/** The kinds of parameters, each with the type that a checked value has. */
interface ParamTypes {
  string: string;
  boolean: boolean;
  object: Params;
  /** An object whose values are strings. */
  strings: Record<string, string>;
  stringList: string[];
  level: LoggingLevel;
  completionReference: CompletionReference;
  completionArgument: { readonly name: string; readonly value: string };
  /** The values of other arguments. */
  completionContext: { readonly arguments?: Record<string, string> };
  subscriptionFilter: SubscriptionFilter;
}

/** The kind of a parameter. With `?` the parameter is optional. */
export type ParamType = keyof ParamTypes | `${keyof ParamTypes}?`;

export type ParamRules = Readonly<Record<string, ParamType>>;

/** The type of parameters that fit the rules. */
export type CheckedParams<Rules> = {
  readonly [Name in keyof Rules as Rules[Name] extends keyof ParamTypes ? Name : never]: ParamTypes[Rules[Name] &
    keyof ParamTypes];
} & {
  readonly [Name in keyof Rules as Rules[Name] extends keyof ParamTypes
    ? never
    : Name]?: Rules[Name] extends `${infer Type extends keyof ParamTypes}?` ? ParamTypes[Type] : never;
};

/** Returns the problem of a value, or undefined. */
type Check = (value: unknown, path: string) => string | undefined;

const must = (path: string, wanted: string, value: unknown) => `${path} must be ${wanted}, but is ${kindOf(value)}.`;

const isType =
  (type: 'string' | 'boolean'): Check =>
  (value, path) =>
    typeof value === type ? undefined : must(path, `a ${type}`, value);

const string = isType('string');
const object: Check = (value, path) => (isObject(value) ? undefined : must(path, 'an object', value));

/** Checks an object with the members that the rules describe. Other members are ignored. */
const shape = (rules: ParamRules): Check => {
  let checks: readonly ParamCheck[] | undefined;
  return (value, path) => {
    if (!isObject(value)) return must(path, 'an object', value);
    checks ??= checksOf(rules);
    return paramsProblem(value, checks, path);
  };
};

const REFERENCES: Readonly<Record<string, Check>> = {
  'ref/prompt': shape({ name: 'string' }),
  'ref/resource': shape({ uri: 'string' }),
};

const CHECKS: Readonly<Record<keyof ParamTypes, Check>> = {
  string,
  boolean: isType('boolean'),
  object,
  strings: (value, path) =>
    object(value, path) ??
    firstProblem(Object.entries(value as Params), ([key, text]) => string(text, `${path}.${key}`)),
  stringList: (value, path) =>
    Array.isArray(value) && value.every((item) => typeof item === 'string')
      ? undefined
      : `${path} must be a list of strings.`,
  level: (value, path) =>
    LOGGING_LEVELS.some((level) => level === value)
      ? undefined
      : `${path} must be one of ${LOGGING_LEVELS.join(', ')}.`,
  completionReference(value, path) {
    const type = isObject(value) ? value.type : undefined;
    const check = typeof type === 'string' && Object.hasOwn(REFERENCES, type) ? REFERENCES[type] : undefined;
    return check
      ? check(value, path)
      : (object(value, path) ?? `${path}.type must be '${Object.keys(REFERENCES).join("' or '")}'.`);
  },
  completionArgument: shape({ name: 'string', value: 'string' }),
  completionContext: shape({ arguments: 'strings?' }),
  subscriptionFilter: shape({
    toolsListChanged: 'boolean?',
    promptsListChanged: 'boolean?',
    resourcesListChanged: 'boolean?',
    resourceSubscriptions: 'stringList?',
    taskIds: 'stringList?',
  }),
};

interface ParamCheck {
  readonly name: string;
  readonly isOptional: boolean;
  readonly check: Check;
}

function checksOf(rules: ParamRules): readonly ParamCheck[] {
  return Object.entries(rules).map(([name, type]) => ({
    name,
    isOptional: type.endsWith('?'),
    check: CHECKS[type.replace('?', '') as keyof ParamTypes],
  }));
}

function paramsProblem(params: Params, checks: readonly ParamCheck[], path: string): string | undefined {
  for (const { name, isOptional, check } of checks) {
    const value = params[name];
    if (value === undefined && isOptional) continue;
    const problem = check(value, `${path}.${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function firstProblem<T>(values: readonly T[], check: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const problem = check(value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * Makes the check of the parameters that a method names. Other parameters are ignored.
 * @returns a function that throws an RpcError −32602, which names the parameter and its problem
 */
export function paramsCheck(rules: ParamRules): (params: Params) => void {
  const checks = checksOf(rules);
  return (params) => {
    const problem = paramsProblem(params, checks, 'params');
    if (problem !== undefined) throw invalidParams(problem);
  };
}
