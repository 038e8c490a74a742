import type { CallContext } from './call-context.js';
import type { Icon } from './icon.js';
import type { FromSchema } from './infer-schema.js';
import { type CodePlace, callerPlace } from './own-code.js';
import type { IProgressReporter } from './progress-reporter.js';
import type { JsonSchema } from './schema.js';
import type { ArgumentsFrom, SchemaInput, SchemaWithJson } from './schema-input.js';
import { type ReadSchema, readSchema } from './schemas/read-schema.js';
import { invalidOutput, invalidParams } from './schemas/schema-issues.js';
import { isStandardSchema, type StandardInput, type StandardSchema, type StandardShape } from './standard-schema.js';
import type { ToolAction, ToolAnnotations, ToolCallResult, ToolFailure, ToolSuccess } from './tool.js';
import { checkToolOptions } from './tool-members.js';

/** The type of the data that `run` returns, before validation. */
export type ResultFrom<S> = S extends StandardSchema
  ? StandardInput<S>
  : S extends StandardShape
    ? ShapeInput<S>
    : FromSchema<S>;

/** Members that can be undefined are optional. */
type ShapeInput<S extends StandardShape> = {
  -readonly [K in keyof S as undefined extends StandardInput<S[K]> ? never : K]: StandardInput<S[K]>;
} & { -readonly [K in keyof S as undefined extends StandardInput<S[K]> ? K : never]?: StandardInput<S[K]> };

/**
 * The type of `run`'s return value: the data itself, `ok(text, data)` or `fail(message)`. Without an outputSchema `run`
 * can return anything.
 */
export type RunResult<O> = [O] extends [undefined]
  ? unknown
  : ResultFrom<O> | ToolSuccess<ResultFrom<O> & object> | ToolFailure;

/**
 * This type is conditional so that the compiler infers the outputSchema before it reads the literals that `run`
 * returns.
 */
type RunFunction<Args, O> = [O] extends [never]
  ? never
  : (args: Args, context: CallContext) => RunResult<O> | Promise<RunResult<O>>;

export interface ToolOptions {
  /** `[A-Za-z0-9_.-]`, at most 128 characters. */
  name: string;
  /** Tells models what the tool does and when to use it. */
  description: string;
  /** The name that clients show to users. A tool without a title gets a warning. */
  title?: string;
  annotations?: ToolAnnotations;
  icons?: readonly Icon[];
  /** Members of MCP extensions, such as `ui` of MCP Apps, for hosts. Give keys of your own a prefix. */
  _meta?: Record<string, unknown>;
  /** For a tool whose job is to show code: text that merely looks like a secret is not hidden in its results. */
  redaction?: 'values-only';
  /** The time limit of one call, in milliseconds. Default: the setting `Tools.TimeoutMs`. */
  timeoutMs?: number;
  /** true: only clients that support MCP tasks can call the tool ({@link ITool.needsTask}). Default false. */
  needsTask?: boolean;
  /** false: `tools/list` omits the tool, but clients can still call it. Default true. */
  listed?: boolean;
  /** The parameters of each value of `action`, for forms ({@link RegisteredTool.actions}). */
  actions?: Readonly<Record<string, ToolAction>>;
  /** Called once when the plugin is unloaded. Only for exported tools. */
  dispose?(): void | Promise<void>;
}

/** A tool to export as it is, or to pass to `api.registerTool`. */
export interface DefinedTool extends ToolOptions {
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  run(args: unknown, context: CallContext): unknown;
  /** Resolves to the return value of `run`. Needs a context: in tests use `runTool` of `@mortise/plugin/testing`. */
  executeAsync(
    args: Record<string, unknown> | null,
    progress?: IProgressReporter,
    signal?: AbortSignal,
    context?: CallContext,
    // biome-ignore lint/suspicious/noExplicitAny: the server converts any value
  ): Promise<any>;
}

/** Marks the tools that `defineTool` made. A registered symbol, so that several copies of this package agree. */
const DEFINED: unique symbol = Symbol.for('mortise.defined-tool');

const PLACE: unique symbol = Symbol.for('mortise.defined-at');

/**
 * True if `defineTool` made the tool. An object that its `run` returns is then data
 * (docs/spec/plugin-results.md#plain-data).
 */
export const isDefinedTool = (tool: object): boolean => (tool as { [DEFINED]?: unknown })[DEFINED] === true;

/** The signature of `defineTool`, and of the method of `api` that also registers the tool. `Made` is the result. */
export type DefineTool<Made> = <
  const I extends SchemaInput | SchemaWithJson | undefined = undefined,
  const O extends SchemaInput | undefined = undefined,
>(
  options: ToolOptions & {
    /** The schema of the arguments. Without it, or with `{}`, the tool has none. */
    inputSchema?: I;
    /** The schema of the data that `run` returns. */
    outputSchema?: O;
    run: RunFunction<ArgumentsFrom<I>, O>;
  },
) => Made;

/**
 * Defines a tool. `inputSchema` gives the type of `run`'s arguments. The data that `run` returns is checked against
 * `outputSchema`, by the compiler and at run time (docs/spec/plugin-results.md#plain-data). Standard Schemas also
 * validate and transform; their issues become INVALID_PARAMS or TOOL_INVALID_RESULT. If the library of the schema has
 * no JSON Schema, pass `inputSchema: { schema, json }`.
 * @throws TypeError if a member is unknown, `name` or `run` is missing, or a schema cannot be expressed as JSON Schema
 */
export const defineTool: DefineTool<DefinedTool> = (options: AnyOptions) => {
  checkToolOptions(options);
  const { inputSchema, outputSchema, run, ...members } = options;
  const { name } = options;
  const subject = `Tool '${name}'`;
  const args = readArguments(inputSchema, subject);
  const result = outputSchema == null ? undefined : readSchema(outputSchema, { subject, io: 'output' });
  const place = callerPlace();
  const tool: DefinedTool & { [DEFINED]: true; [PLACE]?: CodePlace } = {
    ...members,
    [DEFINED]: true,
    ...(place && { [PLACE]: place }),
    inputSchema: args.json,
    ...(result !== undefined && { outputSchema: result.json }),
    run: withValidation(run, args, result),
    executeAsync: async (args, _progress, _signal, context) => {
      if (context === undefined) {
        throw new TypeError(`Tool '${name}' needs a call context: use runTool of @mortise/plugin/testing.`);
      }
      return tool.run(args ?? {}, context);
    },
  };
  return tool;
};

/** The place where the plugin called `defineTool`. */
export const definedAt = (tool: object): CodePlace | undefined => (tool as { [PLACE]?: CodePlace })[PLACE];

function readArguments(schema: unknown, subject: string): ReadSchema {
  if (schema == null || isEmpty(schema)) return { json: { type: 'object', properties: {} } };
  const owner = { subject, io: 'input' } as const;
  const { schema: standard, json } = schema as Partial<SchemaWithJson>;
  const hasBoth = isStandardSchema(standard) && json !== undefined && !isStandardSchema(json);
  return hasBoth ? readSchema(standard, owner, json) : readSchema(schema, owner);
}

const isEmpty = (schema: unknown): boolean =>
  typeof schema === 'object' && !isStandardSchema(schema) && Object.keys(schema as object).length === 0;

type Run = DefinedTool['run'];
type AnyOptions = ToolOptions & {
  inputSchema?: unknown;
  outputSchema?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: the type DefineTool declares the arguments
  run: any;
};

function withValidation(run: Run, args: ReadSchema, result: ReadSchema | undefined): Run {
  const inner = args.validate === undefined ? run : validatingArguments(run, args.validate);
  const outer = result?.validate === undefined ? inner : validatingResult(inner, result.validate);
  return args.validate === undefined ? outer : Object.assign(outer, { [CHECKS_ARGUMENTS]: true });
}

type Validate = NonNullable<ReadSchema['validate']>;

/**
 * Marks a `run` that validates its arguments with a Standard Schema. A registered symbol, so that several copies of
 * this package agree.
 */
const CHECKS_ARGUMENTS: unique symbol = Symbol.for('mortise.checks-arguments');

/** True if a Standard Schema validates the arguments of the tool (docs/spec/plugin-api.md#standard-schemas). */
export function checksArguments({ run }: { run?: unknown }): boolean {
  return typeof run === 'function' && (run as { [CHECKS_ARGUMENTS]?: unknown })[CHECKS_ARGUMENTS] === true;
}

function validatingArguments(run: Run, validate: Validate): Run {
  return async function (this: DefinedTool, args, context) {
    const result = await validate(args);
    return result.issues === undefined ? run.call(this, result.value, context) : invalidParams(result.issues, args);
  };
}

/** Replaces the data of a successful result with the validated data. Failures are not validated. */
function validatingResult(run: Run, validate: Validate): Run {
  return async function (this: DefinedTool, args, context) {
    const returned = await run.call(this, args, context);
    const isObject = typeof returned === 'object' && returned !== null;
    if (!isObject || returned instanceof Error || (returned as ToolCallResult).isError === true) return returned;
    const { structuredContent } = returned as Partial<ToolCallResult>;
    const isSuccess = Array.isArray((returned as Partial<ToolCallResult>).content) && structuredContent !== undefined;
    const result = await validate(isSuccess ? structuredContent : returned);
    if (result.issues !== undefined) return invalidOutput(result.issues);
    return isSuccess ? { ...returned, structuredContent: result.value } : result.value;
  };
}
