import type { JsonSchema } from '@mortise/plugin';
import { sizeOf } from '../util/json-size.js';
import { DATA, isObject, NAMED } from './map-keywords.js';
import { type PatternCost, patternCost } from './pattern-cost.js';
import { targetOf } from './reference.js';

/** The maximum number of steps of a validation in the server's thread, where it delays all other calls: some milliseconds. */
const MAX_STEPS = 2_000_000;
/** The most parts of a schema that is compiled there: it takes about 0.1 ms for each. */
const MAX_PARTS = 1_000;

/** What is inside of these is checked only where a `$ref` leads to it. */
const DEFINITIONS = new Set(['$defs', 'definitions']);
/** References whose target depends on more than the schema's own structure. */
const FAR_REFERENCES = ['$dynamicRef', '$recursiveRef'];

/** Each reads its text to the end. */
const LENGTHS = new Set(['minLength', 'maxLength']);
/** What `uniqueItems` takes for a value, or a character of one: it makes a text of it. */
const UNIQUE_STEPS = 50;
/** What `multipleOf` takes for a number whose decimals count. */
const MULTIPLE_STEPS = 200;

interface CheckCost {
  /** Additional steps that each value can take. */
  perValue: number;
  /** How often a text may be read to its end. */
  reads: number;
  /** Parts of the schema that each value may be put to, those behind a `$ref` counted each time. */
  parts: number;
  patterns: PatternCost[];
}

const costs = new WeakMap<JsonSchema, CheckCost | 'unlimited'>();

/**
 * Whether it is certain that a value is checked against a schema within milliseconds. Told by form and sizes alone:
 * where the schema refers to itself, or has a pattern that may take long, it is not.
 */
export function isQuickCheck(schema: JsonSchema, value: unknown): boolean {
  let cost = costs.get(schema);
  if (cost === undefined) {
    cost = costOf(schema) ?? 'unlimited';
    costs.set(schema, cost);
  }
  if (cost === 'unlimited') return false;
  const size = sizeOf(value, MAX_STEPS);
  let steps = (cost.parts + cost.perValue) * size.values + cost.reads * (size.values + size.chars);
  for (const { factor, degree } of cost.patterns) steps += factor * size.chars ** degree;
  return steps <= MAX_STEPS;
}

/** Undefined where it has no limit. */
function costOf(schema: JsonSchema): CheckCost | undefined {
  const cost: CheckCost = { parts: 0, perValue: 0, reads: 0, patterns: [] };
  const opened = new Set<unknown>();
  const isRoot = (node: unknown) => node === schema;

  /** Each returns whether there is a limit. */
  function addData(value: unknown): boolean {
    cost.parts += 1;
    if (cost.parts > MAX_PARTS) return false;
    return typeof value !== 'object' || value === null || Object.values(value).every(addData);
  }

  function addPattern(pattern: string): boolean {
    const added = patternCost(pattern);
    cost.patterns.push(added);
    return Number.isFinite(added.degree);
  }

  function addReference(reference: unknown): boolean {
    const target = typeof reference === 'string' ? targetOf(reference, schema) : undefined;
    return target !== undefined && addSchema(target);
  }

  function addSchema(node: unknown): boolean {
    cost.parts += 1;
    if (cost.parts > MAX_PARTS || opened.has(node)) return false;
    if (Array.isArray(node)) return node.every(addSchema);
    if (!isObject(node)) return true;
    // Its references are relative to itself.
    if (!isRoot(node) && node.$id !== undefined) return false;
    opened.add(node);
    const isLimited = Object.entries(node).every(([keyword, value]) => {
      if (DEFINITIONS.has(keyword)) return true;
      if (LENGTHS.has(keyword)) cost.reads += 1;
      if (keyword === 'uniqueItems') cost.reads += UNIQUE_STEPS;
      if (keyword === 'multipleOf') cost.perValue += MULTIPLE_STEPS;
      if (DATA.has(keyword)) return addData(value);
      if (keyword === '$ref') return addReference(value);
      if (FAR_REFERENCES.includes(keyword)) return false;
      if (keyword === 'pattern' && typeof value === 'string') return addPattern(value);
      if (keyword === 'patternProperties' && isObject(value) && !Object.keys(value).every(addPattern)) return false;
      if (NAMED.has(keyword) && isObject(value)) return Object.values(value).every(addSchema);
      return addSchema(value);
    });
    opened.delete(node);
    return isLimited;
  }

  return addSchema(schema) ? cost : undefined;
}
