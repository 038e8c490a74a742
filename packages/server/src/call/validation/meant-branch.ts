import type { JsonSchema, JsonValue } from '@mortise/plugin';
import { ownMember, pointerSegment } from '@mortise/plugin/runtime';
import { compile, type Validator, type Violation } from '../../json-schema/compile.js';
import { isSchemaObject } from '../../json-schema/map-keywords.js';

/** A branch of a union that accepts objects. */
interface Branch {
  readonly source: object;
  /** The source itself, or the target of its `$ref`. */
  readonly schema: Record<string, unknown>;
}

/** Returns the part of the schema at a JSON pointer. */
type Resolve = (pointer: string) => unknown;

/** The validator of each branch; undefined for a branch that cannot be compiled on its own. */
const validators = new WeakMap<object, Validator | undefined>();

/**
 * Explains why a value fits no branch of `oneOf` or `anyOf` by the violations of the branch that the caller meant: the
 * only branch for objects, or the one whose constants the value has (docs/spec/arguments.md#unions). Returns the
 * violation of the union itself if the meant branch is unknown, or if the violation is not of a union.
 */
export function violationsInMeantBranch(union: Violation, root: JsonSchema, resolve: Resolve): readonly Violation[] {
  const { keyword, schema, data, params, instancePath } = union;
  const isUnion = (keyword === 'oneOf' && params.passingSchemas === null) || keyword === 'anyOf';
  if (!isUnion || !Array.isArray(schema) || !isSchemaObject(data)) return [union];
  const branches = schema.map((source) => toBranch(source, resolve)).filter((branch) => branch !== undefined);
  const [first, ...more] = branches;
  if (!first) return [union];
  if (more.length === 0) return violationsOf(first, union, root);
  const discriminator = Object.keys(propertiesOf(first)).find((name) =>
    branches.every((branch) => constantsOf(branch, name) !== undefined),
  );
  if (discriminator === undefined) return [union];
  const value = data[discriminator] as JsonValue | undefined;
  const [meant, ...others] = branches.filter((branch) => constantsOf(branch, discriminator)!.includes(value!));
  if (others.length > 0) return [union];
  if (meant) return violationsOf(meant, union, root);
  if (value === undefined) return [{ ...union, keyword: 'required', params: { missingProperty: discriminator } }];
  const allowedValues = [...new Set(branches.flatMap((branch) => constantsOf(branch, discriminator)!))];
  return [
    {
      ...union,
      keyword: 'enum',
      instancePath: `${instancePath}/${pointerSegment(discriminator)}`,
      params: { allowedValues },
    },
  ];
}

/** Returns undefined for a schema that does not accept objects. */
function toBranch(source: unknown, resolve: Resolve): Branch | undefined {
  if (!isSchemaObject(source)) return undefined;
  const { $ref } = source;
  const schema = typeof $ref === 'string' && $ref.startsWith('#/') ? resolve($ref.slice(1)) : source;
  if (!isSchemaObject(schema)) return undefined;
  const { type = 'object' } = schema;
  return [type].flat().includes('object') ? { source, schema } : undefined;
}

const propertiesOf = ({ schema }: Branch) => (isSchemaObject(schema.properties) ? schema.properties : {});

/** Returns the values that a branch allows for a member by `const` or `enum`; undefined if it has neither. */
function constantsOf(branch: Branch, name: string): readonly JsonValue[] | undefined {
  const property = ownMember<unknown>(propertiesOf(branch), name);
  if (!isSchemaObject(property)) return undefined;
  if (Object.hasOwn(property, 'const')) return [property.const as JsonValue];
  return Array.isArray(property.enum) ? property.enum : undefined;
}

function violationsOf({ source }: Branch, union: Violation, root: JsonSchema): readonly Violation[] {
  const validator = validatorOf(source, root);
  if (!validator || validator(union.data)) return [union];
  return validator.errors.map((violation) => ({
    ...violation,
    instancePath: `${union.instancePath}${violation.instancePath}`,
  }));
}

/** Matches a local `$ref` that has another target when the branch is compiled on its own. */
const REF_OUTSIDE_DEFINITIONS = /"\$ref":"#(?!\/(?:\$defs|definitions)\/)/;

function validatorOf(branch: object, { $schema, $defs, definitions }: JsonSchema): Validator | undefined {
  if (validators.has(branch)) return validators.get(branch);
  const json = JSON.stringify({ $schema, $defs, definitions, ...branch });
  const validator = REF_OUTSIDE_DEFINITIONS.test(json) ? undefined : tryCompile(JSON.parse(json));
  validators.set(branch, validator);
  return validator;
}

function tryCompile(schema: JsonSchema): Validator | undefined {
  try {
    return compile(schema);
  } catch {
    return undefined;
  }
}
