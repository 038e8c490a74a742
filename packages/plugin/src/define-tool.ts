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

/** A member that may be undefined may be left out. */
type ShapeInput<S extends StandardShape> = {
  -readonly [K in keyof S as undefined extends StandardInput<S[K]> ? never : K]: StandardInput<S[K]>;
} & { -readonly [K in keyof S as undefined extends StandardInput<S[K]> ? K : never]?: StandardInput<S[K]> };

/** What `run` may return: the data itself, `ok(text, data)`, or `fail(message)`. Anything, where there is no outputSchema. */
export type RunResult<O> = [O] extends [undefined]
  ? unknown
  : ResultFrom<O> | ToolSuccess<ResultFrom<O> & object> | ToolFailure;

/** A conditional type, so that the compiler knows the outputSchema when it reads the literals that `run` returns. */
type RunFunction<Args, O> = [O] extends [never]
  ? never
  : (args: Args, context: CallContext) => RunResult<O> | Promise<RunResult<O>>;

/** A tool's members apart from its schemas. */
export interface ToolOptions {
  /** `[A-Za-z0-9_.-]`, at most 128 characters. */
  name: string;
  /** What models choose the tool by. */
  description: string;
  /** What clients show to users; a tool without it has a warning. */
  title?: string;
  annotations?: ToolAnnotations;
  icons?: readonly Icon[];
  /** For hosts: members of MCP's extensions, such as `ui` of MCP Apps. Keys have a prefix of your own. */
  _meta?: Record<string, unknown>;
  /** For a tool whose job is to show code: nothing is hidden that merely looks like a secret. */
  redaction?: 'values-only';
  /** How long one call may take, in milliseconds; default is the setting `Tools.TimeoutMs`. */
  timeoutMs?: number;
  /** true: only clients of MCP that know tasks can call it ({@link ITool.needsTask}). Default false. */
  needsTask?: boolean;
  /** false: `tools/list` leaves it out, and a call still reaches it. Default true. */
  listed?: boolean;
  /** What each value of the parameter `action` takes, for forms ({@link RegisteredTool.actions}). */
  actions?: Readonly<Record<string, ToolAction>>;
  /** Called once when the plugin is unloaded; for exported tools. */
  dispose?(): void | Promise<void>;
}

/** A tool that may be exported as it is, or be given to `api.registerTool`. */
export interface DefinedTool extends ToolOptions {
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  run(args: unknown, context: CallContext): unknown;
  /** Resolves with what `run` returned. Needs a context: in tests use `runTool` of `@mortise/plugin/testing`. */
  executeAsync(
    args: Record<string, unknown> | null,
    progress?: IProgressReporter,
    signal?: AbortSignal,
    context?: CallContext,
    // biome-ignore lint/suspicious/noExplicitAny: the host normalises whatever it is
  ): Promise<any>;
}

/** Marks the tools of `defineTool`; a registered symbol, so that several copies of this package agree. */
const DEFINED: unique symbol = Symbol.for('mortise.defined-tool');

const PLACE: unique symbol = Symbol.for('mortise.defined-at');

/** Whether `defineTool` made it: then an object that it returns is data (docs/spec/plugin-results.md#plain-data). */
export const isDefinedTool = (tool: object): boolean => (tool as { [DEFINED]?: unknown })[DEFINED] === true;

/** `defineTool`, also as a method of `api`, which registers the tool too; `Made` is what it returns. */
export type DefineTool<Made> = <
  const I extends SchemaInput | SchemaWithJson | undefined = undefined,
  const O extends SchemaInput | undefined = undefined,
>(
  options: ToolOptions & {
    /** The arguments. Without it, or with `{}`, there are none. */
    inputSchema?: I;
    /** What `run` returns as data. */
    outputSchema?: O;
    run: RunFunction<ArgumentsFrom<I>, O>;
  },
) => Made;

/**
 * Defines a tool. The type of `run`'s arguments comes from `inputSchema`, and what it returns is checked against
 * `outputSchema`, by the compiler and at run time (docs/spec/plugin-results.md#plain-data). Standard Schemas also
 * validate and transform: issues become INVALID_PARAMS, or TOOL_INVALID_RESULT. For a library without JSON Schema, give
 * `inputSchema: { schema, json }`.
 * @throws TypeError for a member that a tool does not have, without `name` or `run`, or if there is no JSON Schema to be had
 */
export const defineTool: DefineTool<DefinedTool> = (options: AnyOptions) => {
  checkToolOptions(options);
  const { inputSchema, outputSchema, run, ...members } = options;
  const { name } = options;
  const subject = `Tool '${name}'`;
  const args = readArguments(inputSchema, subject);
  const result = outputSchema == null ? undefined : readSchema(outputSchema, undefined, { subject, io: 'output' });
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

/** The place of the call of `defineTool` that made the tool. */
export const definedAt = (tool: object): CodePlace | undefined => (tool as { [PLACE]?: CodePlace })[PLACE];

function readArguments(schema: unknown, subject: string): ReadSchema {
  if (schema == null || isEmpty(schema)) return { json: { type: 'object', properties: {} } };
  const owner = { subject, io: 'input' } as const;
  const { schema: standard, json } = schema as Partial<SchemaWithJson>;
  const hasBoth = isStandardSchema(standard) && json !== undefined && !isStandardSchema(json);
  return hasBoth ? readSchema(standard, json, owner) : readSchema(schema, undefined, owner);
}

const isEmpty = (schema: unknown): boolean =>
  typeof schema === 'object' && !isStandardSchema(schema) && Object.keys(schema as object).length === 0;

type Run = DefinedTool['run'];
type AnyOptions = ToolOptions & {
  inputSchema?: unknown;
  outputSchema?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: the signature says what the arguments are
  run: any;
};

function withValidation(run: Run, args: ReadSchema, result: ReadSchema | undefined): Run {
  const checked = args.validate === undefined ? run : validatingArguments(run, args.validate);
  const whole = result?.validate === undefined ? checked : validatingResult(checked, result.validate);
  return args.validate === undefined ? whole : Object.assign(whole, { [CHECKS_ARGUMENTS]: true });
}

type Validate = NonNullable<ReadSchema['validate']>;

/** Marks a `run` that checks its arguments by a Standard Schema; a registered symbol, so that several copies of this package agree. */
const CHECKS_ARGUMENTS: unique symbol = Symbol.for('mortise.checks-arguments');

/** Whether a Standard Schema judges the arguments of the tool (docs/spec/plugin-api.md#standard-schemas). */
export function checksArguments({ run }: { run?: unknown }): boolean {
  return typeof run === 'function' && (run as { [CHECKS_ARGUMENTS]?: unknown })[CHECKS_ARGUMENTS] === true;
}

function validatingArguments(run: Run, validate: Validate): Run {
  return async function (this: DefinedTool, args, context) {
    const result = await validate(args);
    return result.issues === undefined ? run.call(this, result.value, context) : invalidParams(result.issues, args);
  };
}

/** The data of a success is what validation gives; failures pass. */
function validatingResult(run: Run, validate: Validate): Run {
  return async function (this: DefinedTool, args, context) {
    const returned = await run.call(this, args, context);
    const isObject = typeof returned === 'object' && returned !== null;
    if (!isObject || returned instanceof Error || (returned as ToolCallResult).isError === true) return returned;
    const { structuredContent } = returned as Partial<ToolCallResult>;
    const isSuccess = Array.isArray((returned as Partial<ToolCallResult>).content) && structuredContent !== undefined;
    const checked = await validate(isSuccess ? structuredContent : returned);
    if (checked.issues !== undefined) return invalidOutput(checked.issues);
    return isSuccess ? { ...returned, structuredContent: checked.value } : checked.value;
  };
}
