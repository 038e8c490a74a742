import { closest, isClose } from '@mortise/plugin/runtime';
import { isSecretKey } from '@mortise/redact';
import { interpolate, type ReferenceSources } from './interpolate.js';
import type { Origin } from './origin.js';
import type { SettingOwner } from './setting-owner.js';
import { problemAt, type SettingsProblem } from './settings-error.js';
import type { SourcedScalar, SourcedValue } from './sourced-value.js';
import { describeType, type ValueType } from './value-type.js';

/** What reading needs of the outside, and where it puts what it finds. */
export interface ReadContext {
  /** Where references in a value of this origin fetch from. */
  sources(origin: Origin, setting: SettingKey): ReferenceSources;
  /** The one resolver: makes a path of this origin absolute. */
  resolvePath(path: string, origin: Origin): string;
  /** Something is ignored. @param message with its key */
  warn(message: string): void;
  report(problem: SettingsProblem): void;
  /** A reference cannot be fetched, and only its owner needs it. */
  reportUnavailable(owner: SettingOwner, problem: SettingsProblem): void;
  addSecret(value: string): void;
}

/** The key that is read, and whether it, or one above it, is a secret's. */
export interface SettingKey {
  readonly key: string;
  readonly secret: boolean;
  readonly owner?: SettingOwner | undefined;
}

/**
 * The scalar as `accept` gives it back, references expanded; undefined, and reported, where `accept` gives undefined.
 * Text of the environment, and text that was fetched, is read as the type's own notation first: `8080`, `true`.
 */
export function parseScalar<T>(
  node: SourcedValue,
  type: ValueType,
  setting: SettingKey,
  context: ReadContext,
  accept: (value: SourcedScalar['value'], fetched: readonly string[]) => T | undefined,
): T | undefined {
  if (node.kind !== 'scalar') return refuse(node, type, setting, context);
  if (typeof node.value !== 'string') return accept(node.value, []) ?? refuse(node, type, setting, context);

  const { text, fetched, problems } = interpolate(node.value, context.sources(node.origin, setting));
  for (const { message, hint } of problems) {
    const problem = problemAt(node.origin, { key: setting.key, message: `${setting.key}: ${message}`, hint });
    if (setting.owner) context.reportUnavailable(setting.owner, problem);
    else context.report(problem);
  }
  if (problems.length) return undefined;
  const loose = node.origin.from === 'environment' || fetched.length > 0;
  const settingKey = { ...setting, secret: setting.secret || fetched.length > 0 };
  return (
    accept(loose ? parseAs(type, text) : text, fetched) ?? refuse({ ...node, value: text }, type, settingKey, context)
  );
}

/** Reports that the value is not what the type wants. A secret value is not shown. */
export function refuse(
  node: SourcedValue,
  type: ValueType,
  { key, secret }: SettingKey,
  context: ReadContext,
): undefined {
  const isText = type.kind === 'text' && (type.url || type.secret === 'always') === true;
  const found = describeFound(node, secret || isText || isNeverQuoted(key));
  const message = `${key} is ${found}, must be ${describeType(type)}.`;
  context.report(problemAt(node.origin, { key, message, hint: correction(node, type) }));
}

/** Values shorter than this would be found everywhere (docs/spec/contract.md#redaction-configured). */
const MIN_SECRET_CHARS = 6;
const NO_SECRET = /^(?:true|false|[-+]?\d+(?:\.\d+)?)$/i;

/** Remembers what the redactor has to find: what was fetched, and the value under a secret key. */
export function collectSecrets(value: string, fetched: readonly string[], secret: boolean, context: ReadContext): void {
  const credentials = /^(?:basic|bearer|token|apikey)\s+(\S.*)$/i.exec(value)?.[1];
  const found = [...fetched, ...(secret ? [value, credentials ?? ''] : [])];
  for (const one of found) {
    if (one.length >= MIN_SECRET_CHARS && !NO_SECRET.test(one)) context.addSecret(one);
  }
}

/** Whether values under this key of the configuration are secrets; headers such as Authorization are. */
export function holdsSecret(key: string): boolean {
  return isSecretKey(key) || /authorization$/i.test(key);
}

const NOTATION: { readonly [K in ValueType['kind']]?: (text: string) => boolean | number | undefined } = {
  boolean: parseBoolean,
  choice: parseBoolean,
  integer: (text) => (/^[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(text) ? Number(text) : undefined),
};

function parseAs(type: ValueType, text: string): SourcedScalar['value'] {
  return NOTATION[type.kind]?.(text.trim()) ?? text;
}

function parseBoolean(text: string): boolean | undefined {
  return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined;
}

/**
 * Whoever writes these puts secrets there: messages name them, and never quote a value
 * (docs/spec/contract.md#redaction-everywhere).
 */
const NEVER_QUOTED = /^(?:Auth|Http\.StateKey|Plugins\.(?:Config|Settings))(?:$|[.[])|\.(?:env|headers)(?:$|[.[])/i;

function isNeverQuoted(key: string): boolean {
  return NEVER_QUOTED.test(key);
}

const MAX_TEXT_CHARS = 60;

function describeFound(node: SourcedValue, isSecret: boolean): string {
  if (node.kind !== 'scalar') return node.kind === 'list' ? 'a list' : 'an object';
  if (typeof node.value !== 'string')
    return isSecret && node.value !== null ? `a ${typeof node.value}` : String(node.value);
  if (node.value === '') return 'empty';
  const show = !isSecret && node.value.length <= MAX_TEXT_CHARS;
  return show ? `the text ${JSON.stringify(node.value)}` : `text of ${node.value.length} characters`;
}

function correction(node: SourcedValue, type: ValueType): string {
  const value = node.kind === 'scalar' ? node.value : undefined;
  if (typeof value === 'string' && type.kind !== 'choice' && typeof parseAs(type, value) !== 'string') {
    return 'Write it without quotes.';
  }
  if (type.kind === 'text' && type.packageName) {
    return 'Write the name alone, as in its package.json, for example "mortise-notes" or "@scope/name".';
  }
  const best =
    (type.kind === 'choice' || type.kind === 'choiceOrNames') && typeof value === 'string'
      ? closest(value, type.of.map(String))
      : undefined;
  if (best && isClose(best.distance, best.name)) return `Did you mean ${best.name}?`;
  return 'Correct it, or remove it to have the default.';
}
