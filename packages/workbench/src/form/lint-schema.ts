import { isObject } from '../json/json.js';
import { References, type SchemaObject } from './schema.js';

interface LintRule {
  readonly applies: (schema: SchemaObject, depth: number, root: SchemaObject) => boolean;
  readonly message: string;
}

const has =
  (...keywords: string[]) =>
  (schema: SchemaObject) =>
    keywords.some((keyword) => keyword in schema);

const LINT_RULES: readonly LintRule[] = [
  {
    applies: (schema, depth) => depth === 0 && has('anyOf', 'oneOf', 'allOf')(schema),
    message: 'The root has anyOf, oneOf or allOf: some model APIs reject the tool.',
  },
  {
    applies: (schema, depth) => depth === 0 && '$ref' in schema,
    message: 'The root is a $ref: some hosts see no parameters.',
  },
  { applies: has('$ref'), message: '$ref is used: some hosts do not resolve references.' },
  {
    applies: (schema) => Array.isArray(schema.type),
    message: 'type is a list: some hosts take the first type only. anyOf is understood more often.',
  },
  {
    applies: has('if', 'then', 'else', 'dependentRequired', 'dependentSchemas'),
    message: 'Many hosts ignore conditions (if, dependentRequired). Say them in the description too.',
  },
  {
    applies: has('patternProperties', 'propertyNames', 'unevaluatedProperties'),
    message: 'Strict modes do not support patternProperties, propertyNames and unevaluatedProperties.',
  },
  {
    applies: (schema) => 'prefixItems' in schema || Array.isArray(schema.items),
    message: 'Some model APIs do not support tuples. Use an object.',
  },
  {
    applies: (schema) => schema.type === 'array' && !('items' in schema) && !('prefixItems' in schema),
    message: 'An array has no `items`: some model APIs reject the tool.',
  },
  { applies: has('not'), message: 'Many hosts ignore the keyword `not`. Say in the description what is not allowed.' },
];

const MAX_NODES = 5_000;

/**
 * Finds places in an input schema that some hosts reject or ignore.
 * @returns at most twenty different messages
 */
export function lintSchema(root: SchemaObject): string[] {
  const messages = new Set<string>();
  const references = new References(root);
  let nodes = 0;
  const visit = (node: unknown, depth: number): void => {
    nodes += 1;
    if (!isObject(node) || nodes > MAX_NODES) return;
    for (const { applies, message } of LINT_RULES) if (applies(node, depth, root)) messages.add(message);
    if (typeof node.$ref === 'string' && references.resolve(node.$ref) === undefined)
      messages.add(`$ref '${node.$ref}' leads nowhere.`);
    for (const [keyword, value] of Object.entries(node)) {
      if (MAP_KEYWORDS.has(keyword) && isObject(value))
        for (const member of Object.values(value)) visit(member, depth + 1);
      else if (Array.isArray(value) && LIST_KEYWORDS.has(keyword)) for (const item of value) visit(item, depth + 1);
      else if (SCHEMA_KEYWORDS.has(keyword)) visit(value, depth + 1);
    }
  };
  visit(root, 0);
  for (const [name, property] of Object.entries(isObject(root.properties) ? root.properties : {})) {
    if (!isObject(property) || typeof property.description !== 'string')
      messages.add(`The parameter ${name} has no description.`);
  }
  return [...messages].slice(0, 20);
}

// The keywords whose value is an object of schemas, a list of schemas, and one schema.
const MAP_KEYWORDS = new Set(['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas']);
const LIST_KEYWORDS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items']);
const SCHEMA_KEYWORDS = new Set([
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedProperties',
]);
