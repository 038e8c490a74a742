import { closest, isClose } from '@mortise/plugin/runtime';
import type { Violation } from './check-schema.js';
import { describeUnknownKey, joinKey } from './lookup.js';
import { type Places, parseNotation, placeOf } from './resolve-settings.js';
import type { SettingSchema } from './setting-schema.js';
import { type Origin, problemAt, type SettingsProblem } from './settings-error.js';

/** Describes a violation: the setting, its value unless that may be secret, where it was set, and what to do. */
export function explainViolation(violation: Violation, places: Places): SettingsProblem {
  const { origin, ...explanation } = EXPLAINERS[violation.keyword](violation, places);
  return problemAt(origin, explanation);
}

interface Explanation {
  readonly origin: Origin;
  readonly key: string;
  readonly message: string;
  readonly hint: string;
}

const EXPLAINERS: Readonly<Record<Violation['keyword'], (violation: Violation, places: Places) => Explanation>> = {
  value({ path, schema, value }, places) {
    const { key, origin, isSecret } = placeOf(places, path);
    const isHidden = isSecret || schema.secret === 'always' || schema.format === 'uri' || NEVER_QUOTED.test(key);
    const message = `${key} is ${describeValue(value, isHidden)}, must be ${schema.expected}.`;
    return { origin, key, message, hint: correction(value, schema) };
  },
  additionalProperties({ path, schema }, places) {
    const { key, keyOrigin } = placeOf(places, path);
    const parent = placeOf(places, path.slice(0, -1)).key;
    return { origin: keyOrigin, key, ...describeUnknownKey(parent, schema, String(path.at(-1))) };
  },
  required({ path, schema }, places) {
    const { key: parent, origin } = placeOf(places, path.slice(0, -1));
    const name = String(path.at(-1));
    const key = joinKey(parent, name);
    return { origin, key, message: `${key} is missing.`, hint: schema.properties?.[name]?.description ?? 'Add it.' };
  },
  dependencies({ path, schema }, places) {
    const { key, keyOrigin } = placeOf(places, path);
    const needed = schema.dependencies?.[String(path.at(-1))]?.join(' and ');
    return {
      origin: keyOrigin,
      key,
      message: `${key} requires ${needed}.`,
      hint: `Remove it, or give ${needed}.`,
    };
  },
  oneOf({ path, schema, value }, places) {
    const { key, origin } = placeOf(places, path);
    const names = (schema.oneOf ?? []).map(({ required: [name] }) => name);
    const present = names.filter((name) => Object.hasOwn(value as object, name));
    const either = names.join(' or ');
    return present.length === 0
      ? { origin, key, message: `${key} needs either ${either}.`, hint: `Add ${either}.` }
      : { origin, key, message: `${key} has both ${present.join(' and ')}.`, hint: `Keep one: ${either}.` };
  },
};

/**
 * Matches the keys of settings that often contain secrets. Messages never quote their values
 * (docs/spec/redaction.md#redaction-everywhere).
 */
const NEVER_QUOTED =
  /^(?:Auth|Http\.StateKeys?|State\.Redis\.Urls|Plugins\.(?:Config|Settings))(?:$|[.[])|\.(?:env|headers)(?:$|[.[])/i;

const MAX_QUOTED_CHARS = 60;

function describeValue(value: unknown, isHidden: boolean): string {
  if (value === null) return 'null';
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  if (typeof value !== 'string') return isHidden ? `a ${typeof value}` : String(value);
  if (value === '') return 'empty';
  const isShown = !isHidden && value.length <= MAX_QUOTED_CHARS;
  return isShown ? `the text ${JSON.stringify(value)}` : `text of ${value.length} characters`;
}

function correction(value: unknown, schema: SettingSchema): string {
  if (schema.correction !== undefined) return schema.correction;
  if (typeof value === 'string') {
    if (schema.type && typeof parseNotation(value, schema) !== 'string') return 'Write it without quotes.';
    const choices = schema.enum ?? schema.anyOf?.flatMap((branch) => branch.enum ?? []) ?? [];
    const best = closest(value, choices.map(String));
    if (best && isClose(best.distance, best.name)) return `Did you mean ${best.name}?`;
  }
  return 'Correct it, or remove it to have the default.';
}
