import type { JsonSchema, JsonValue } from '@mortise/plugin';
import { ownMember, pointerSegment } from '@mortise/plugin/runtime';
import { compile, type Validator, type Violation } from '../../json-schema/compile.js';
import { isSchemaObject } from '../../json-schema/map-keywords.js';

interface Branch {
  readonly source: object;
  /** The source, or what its `$ref` leads to. */
  readonly schema: Record<string, unknown>;
}

/** How a schema finds what a pointer leads to. */
type Resolve = (pointer: string) => unknown;

/** Undefined for a branch that cannot be compiled alone. */
const validators = new WeakMap<object, Validator | undefined>();

/**
 * What is wrong with a value that fits no branch of `oneOf` or `anyOf`, in the terms of the branch that was meant: the only
 * one for objects, or the one whose constants the value has (docs/spec/arguments.md#unions). If nothing tells which that is,
 * the violation of the whole.
 */
export function inMeantBranch(whole: Violation, root: JsonSchema, resolve: Resolve): readonly Violation[] {
  const { keyword, schema, data, params, instancePath } = whole;
  const isUnion = (keyword === 'oneOf' && params.passingSchemas === null) || keyword === 'anyOf';
  if (!isUnion || !Array.isArray(schema) || !isSchemaObject(data)) return [whole];
  const branches = schema.map((source) => toBranch(source, resolve)).filter((branch) => branch !== undefined);
  const [first, ...more] = branches;
  if (!first) return [whole];
  if (more.length === 0) return violationsOf(first, whole, root);
  const discriminator = Object.keys(propertiesOf(first)).find((name) =>
    branches.every((branch) => constantsOf(branch, name) !== undefined),
  );
  if (discriminator === undefined) return [whole];
  const value = data[discriminator] as JsonValue | undefined;
  const [meant, ...others] = branches.filter((branch) => constantsOf(branch, discriminator)!.includes(value!));
  if (others.length > 0) return [whole];
  if (meant) return violationsOf(meant, whole, root);
  if (value === undefined) return [{ ...whole, keyword: 'required', params: { missingProperty: discriminator } }];
  const allowedValues = [...new Set(branches.flatMap((branch) => constantsOf(branch, discriminator)!))];
  return [
    {
      ...whole,
      keyword: 'enum',
      instancePath: `${instancePath}/${pointerSegment(discriminator)}`,
      params: { allowedValues },
    },
  ];
}

/** A branch that accepts objects. */
function toBranch(source: unknown, resolve: Resolve): Branch | undefined {
  if (!isSchemaObject(source)) return undefined;
  const { $ref } = source;
  const schema = typeof $ref === 'string' && $ref.startsWith('#/') ? resolve($ref.slice(1)) : source;
  if (!isSchemaObject(schema)) return undefined;
  const { type = 'object' } = schema;
  return [type].flat().includes('object') ? { source, schema } : undefined;
}

const propertiesOf = ({ schema }: Branch) => (isSchemaObject(schema.properties) ? schema.properties : {});

/** The values that a branch has for a member: its `const`, or its `enum`. */
function constantsOf(branch: Branch, name: string): readonly JsonValue[] | undefined {
  const properties = propertiesOf(branch);
  const property = ownMember<unknown>(properties, name);
  if (!isSchemaObject(property)) return undefined;
  if (Object.hasOwn(property, 'const')) return [property.const as JsonValue];
  return Array.isArray(property.enum) ? property.enum : undefined;
}

function violationsOf({ source }: Branch, whole: Violation, root: JsonSchema): readonly Violation[] {
  const validator = validatorOf(source, root);
  if (!validator || validator(whole.data)) return [whole];
  return validator.errors.map((violation) => ({
    ...violation,
    instancePath: `${whole.instancePath}${violation.instancePath}`,
  }));
}

/** A `$ref` that means something else in a branch alone. */
const OTHER_REF = /"\$ref":"#(?!\/(?:\$defs|definitions)\/)/;

function validatorOf(branch: object, { $schema, $defs, definitions }: JsonSchema): Validator | undefined {
  if (validators.has(branch)) return validators.get(branch);
  const alone = { $schema, $defs, definitions, ...branch };
  const isComplete = !OTHER_REF.test(JSON.stringify(alone));
  const validator = isComplete ? compiled(JSON.parse(JSON.stringify(alone))) : undefined;
  validators.set(branch, validator);
  return validator;
}

function compiled(schema: JsonSchema): Validator | undefined {
  try {
    return compile(schema);
  } catch {
    return undefined;
  }
}
