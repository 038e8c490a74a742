import { invalidParams } from './errors.js';
import { describe, isObject } from './values.js';

/** @throws ProtocolError −32602 when the member is not a string */
export function stringParam(params: Record<string, unknown>, name: string, path = `params.${name}`): string {
  const value = params[name];
  if (typeof value !== 'string') throw invalidParams(`${path} must be a string, but is ${describe(value)}.`);
  return value;
}

/**
 * An optional object.
 * @throws ProtocolError −32602 if the member exists and is not an object
 */
export function objectParam(
  params: Record<string, unknown>,
  name: string,
  path = `params.${name}`,
): Record<string, unknown> | undefined {
  const value = params[name];
  if (value !== undefined && !isObject(value)) {
    throw invalidParams(`${path} must be an object, but is ${describe(value)}.`);
  }
  return value;
}

/**
 * An optional object whose values are all strings; `{}` when absent.
 * @throws ProtocolError −32602 when it is anything else
 */
export function stringsParam(params: Record<string, unknown>, name: string, path?: string): Record<string, string> {
  const values = objectParam(params, name, path) ?? {};
  for (const key of Object.keys(values)) stringParam(values, key, `${path ?? `params.${name}`}.${key}`);
  return values as Record<string, string>;
}
