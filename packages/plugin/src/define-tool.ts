import type { CallContext } from './call-context.js';
import type { Icon } from './icon.js';
import type { ArgumentsOf, FromSchema } from './infer-schema.js';
import type { IProgressReporter } from './progress-reporter.js';
import type { JsonSchema } from './schema.js';
import { type ReadSchema, readSchema } from './schemas/read-schema.js';
import { invalidOutput, invalidParams } from './schemas/schema-issues.js';
import {
  isStandardSchema,
  type StandardInput,
  type StandardOutput,
  type StandardSchema,
  type StandardShape,
} from './standard-schema.js';
import type { ToolAction, ToolAnnotations, ToolCallResult, ToolFailure, ToolSuccess } from './tool.js';

/**
 * What `defineTool` takes as a schema: a Standard Schema (zod, valibot, ArkType), an object of them by member
 * (`{ city: z.string() }`), or a JSON Schema.
 */
export type SchemaInput = StandardSchema | StandardShape | JsonSchema;

/** The type of the arguments that `run` gets, after validation. */
export type ArgumentsFrom<S> = S extends StandardSchema
  ? StandardOutput<S>
  : S extends StandardShape
    ? { -readonly [K in keyof S]: StandardOutput<S[K]> }
    : ArgumentsOf<S>;

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
  /** For a tool whose job is to show code: nothing is hidden that merely looks like a secret. */
  redaction?: 'values-only';
  /** How long one call may take, in milliseconds; default is the setting `Tools.TimeoutMs`. */
  timeoutMs?: number;
  /** true: only clients of MCP that know tasks can call it ({@link ITool.needsTask}). Default false. */
  needsTask?: boolean;
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

/** Whether `defineTool` made it: then an object that it returns is data (docs/spec/plugins.md#plain-data). */
export const isDefinedTool = (tool: object): boolean => (tool as { [DEFINED]?: unknown })[DEFINED] === true;

/** `defineTool`, also as a method of `api`, which registers the tool too; `Made` is what it returns. */
export interface DefineTool<Made> {
  <const I extends SchemaInput, const O extends SchemaInput | undefined = undefined>(
    options: ToolOptions & {
      inputSchema: I;
      outputSchema?: O;
      input?: undefined;
      run: RunFunction<ArgumentsFrom<I>, O>;
    },
  ): Made;
  <I extends StandardSchema, const O extends SchemaInput | undefined = undefined>(
    options: ToolOptions & {
      input: I;
      inputSchema?: JsonSchema;
      outputSchema?: O;
      run: RunFunction<StandardOutput<I>, O>;
    },
  ): Made;
}

/**
 * Defines a tool. The type of `run`'s arguments comes from `inputSchema`, and what it returns is checked against
 * `outputSchema`, by the compiler and at run time (docs/spec/plugins.md#plain-data). Standard Schemas also
 * validate and transform: issues become INVALID_PARAMS, or TOOL_INVALID_RESULT. For a library without JSON Schema, give the
 * Standard Schema as `input` and its JSON Schema as `inputSchema`.
 * @throws TypeError when there is no JSON Schema to be had
 */
export const defineTool: DefineTool<DefinedTool> = (options: AnyOptions) => {
  const { input, inputSchema, outputSchema, run, ...members } = options;
  const { name } = options;
  if (input !== undefined && !isStandardSchema(input)) {
    throw new TypeError(`Tool '${name}': \`input\` is not a Standard Schema; put a JSON Schema into \`inputSchema\`.`);
  }
  const args = readSchema(input ?? inputSchema, input && (inputSchema as JsonSchema | undefined), {
    subject: `Tool '${name}'`,
    io: 'input',
  });
  const result =
    outputSchema === undefined
      ? undefined
      : readSchema(outputSchema, undefined, {
          subject: `Tool '${name}'`,
          io: 'output',
        });
  const tool: DefinedTool & { [DEFINED]: true } = {
    ...members,
    [DEFINED]: true,
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

type Run = DefinedTool['run'];
type AnyOptions = ToolOptions & {
  input?: unknown;
  inputSchema?: unknown;
  outputSchema?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: the overloads say what the arguments are
  run(args: any, context: CallContext): unknown;
};

function withValidation(run: Run, args: ReadSchema, result: ReadSchema | undefined): Run {
  const checked = args.validate === undefined ? run : validatingArguments(run, args.validate);
  return result?.validate === undefined ? checked : validatingResult(checked, result.validate);
}

type Validate = NonNullable<ReadSchema['validate']>;

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
