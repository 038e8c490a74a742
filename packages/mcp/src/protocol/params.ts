import type { Params } from '../json-rpc/messages.js';
import { invalidParams } from '../json-rpc/rpc-error.js';
import { isObject, kindOf } from '../json-rpc/values.js';

/** What a parameter must be; with `?` it may be absent. `strings` is an object whose values are strings. */
export type ParamType = 'string' | 'string?' | 'object' | 'object?' | 'strings?';

interface ParamRule {
  readonly name: string;
  readonly type: 'string' | 'object' | 'strings';
  readonly isOptional: boolean;
}

/** What methods name, read once: checking is part of every request. */
const rules = new WeakMap<object, readonly ParamRule[]>();

function rulesOf(types: Readonly<Record<string, ParamType>>): readonly ParamRule[] {
  const known = rules.get(types);
  if (known) return known;
  const made = Object.entries(types).map(([name, type]) => ({
    name,
    type: type.replace('?', '') as ParamRule['type'],
    isOptional: type.endsWith('?'),
  }));
  rules.set(types, made);
  return made;
}

/**
 * Checks the parameters that a method names; others are ignored.
 * @param path of the parameters, for the message
 * @throws RpcError −32602 with the parameter and what is wrong with it
 */
export function checkParams(params: Params, types: Readonly<Record<string, ParamType>>, path = 'params'): void {
  for (const { name, type, isOptional } of rulesOf(types)) {
    const value = params[name];
    if (value === undefined && isOptional) continue;
    if (!fits(value, type)) {
      const wanted = type === 'string' ? 'a string' : 'an object';
      throw invalidParams(`${path}.${name} must be ${wanted}, but is ${kindOf(value)}.`);
    }
    if (type === 'strings') checkStrings(value as Params, `${path}.${name}`);
  }
}

function fits(value: unknown, type: ParamRule['type']): boolean {
  return type === 'string' ? typeof value === 'string' : isObject(value);
}

function checkStrings(values: Params, path: string): void {
  for (const [key, value] of Object.entries(values)) {
    if (typeof value !== 'string') throw invalidParams(`${path}.${key} must be a string, but is ${kindOf(value)}.`);
  }
}
