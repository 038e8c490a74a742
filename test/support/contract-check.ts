import { CONTRACT_VERSION, contractSchema } from '@mortise/plugin/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { countResult, type Form } from './contract-counts.js';

/** A call of a tool as a client sent it. */
export interface SentCall {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** A message that answers it. */
interface Answer {
  readonly result?: {
    readonly content?: readonly { readonly type?: string; readonly text?: string }[];
    readonly structuredContent?: Readonly<Record<string, unknown>>;
    readonly isError?: boolean;
  };
  readonly error?: { readonly data?: object };
}

const schema = contractSchema() as { $id: string; $defs: Record<string, { properties?: object }> };
const { $defs: parts } = schema;
let ajv: Ajv2020 | undefined;
const validators = new Map<string, ValidateFunction>();

/** What is wrong with a value by a part of the contract: an unknown member is. */
function faults(form: Form, part: string, value: unknown): string[] {
  ajv ??= new Ajv2020({ strict: false, allErrors: true }).addSchema(schema);
  const validate = validators.get(part) ?? ajv.compile({ $ref: `${schema.$id}#/$defs/${part}` });
  validators.set(part, validate);
  countResult(form);
  if (validate(value)) return [];
  const errors = validate.errors!.map(({ instancePath, message, params }) => {
    const name = params.additionalProperty ?? params.unevaluatedProperty;
    return `${instancePath} ${message}${name === undefined ? '' : ` (${name})`}`;
  });
  return [`${form}, by ${part} of contract ${CONTRACT_VERSION}: ${[...new Set(errors)].slice(0, 8).join('; ')}`];
}

/**
 * What is wrong with the answer to a call by docs/spec/contract.schema.json. All of it is checked if the tool is ours. In the
 * result of any other tool only what the server writes is: the error, and the JSON of machineReadable.
 */
export function contractFaults(call: SentCall, { result, error }: Answer): string[] {
  if (error !== undefined)
    return error.data === undefined ? [] : faults('JSON-RPC error', 'ProtocolErrorData', error.data);
  if (!Array.isArray(result?.content)) return [];
  return [...dataFaults(call, result), ...textFaults(call, result)];
}

const OUR_ERRORS = Object.keys(parts.ErrorResponse!.properties!);

function dataFaults({ name }: SentCall, { structuredContent, isError }: NonNullable<Answer['result']>): string[] {
  // With 2026-07-28 the data of a plugin can be of any type.
  if (typeof structuredContent !== 'object' || structuredContent === null) return [];
  const tool = name.replace('.', '_');
  const isFailure = isError === true && Array.isArray(structuredContent.errors);
  if (Object.hasOwn(parts, tool)) {
    const form = `data of a first-party ${isFailure ? 'failure' : 'success'}` as const;
    return faults(form, `${tool}/anyOf/${isFailure ? 1 : 0}`, structuredContent);
  }
  if (!isFailure) return [];
  const entries = Object.entries(structuredContent).filter(([member]) => OUR_ERRORS.includes(member));
  return faults('error of a plugin or mounted server', 'ErrorResponse', Object.fromEntries(entries));
}

function textFaults({ arguments: args }: SentCall, { content, isError }: NonNullable<Answer['result']>): string[] {
  const [first] = content!;
  if (args?.machineReadable !== true || first?.type !== 'text') return [];
  const value = parse(first.text!);
  if (isError) return faults('ErrorResponse with machineReadable', 'PublishedErrorResponse', value);
  return faults('SuccessResult', 'SuccessResult', value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
