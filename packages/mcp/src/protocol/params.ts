import type { Params } from '../json-rpc/messages.js';
import { invalidParams } from '../json-rpc/rpc-error.js';
import { isObject, kindOf } from '../json-rpc/values.js';

/** What a parameter must be; with `?` it may be absent. `strings` is an object whose values are strings. */
export type ParamType = 'string' | 'string?' | 'object' | 'object?' | 'strings?';

/**
 * Checks the parameters that a method names; others are ignored.
 * @param path of the parameters, for the message
 * @throws RpcError −32602 with the parameter and what is wrong with it
 */
export function checkParams(params: Params, types: Readonly<Record<string, ParamType>>, path = 'params'): void {
  for (const name in types) {
    const type = types[name]!;
    const value = params[name];
    if (value === undefined && type.endsWith('?')) continue;
    checkValue(value, type.replace('?', ''), `${path}.${name}`);
  }
}

function checkValue(value: unknown, type: string, path: string): void {
  if (type === 'string' ? typeof value === 'string' : isObject(value)) {
    if (type !== 'strings') return;
    for (const [key, member] of Object.entries(value as Params)) checkValue(member, 'string', `${path}.${key}`);
    return;
  }
  throw invalidParams(`${path} must be ${type === 'string' ? 'a string' : 'an object'}, but is ${kindOf(value)}.`);
}
