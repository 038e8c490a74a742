import type { CallContext } from './call-context.js';
import type { ArgumentsOf } from './infer-schema.js';
import type { IProgressReporter } from './progress-reporter.js';
import type { JsonSchema } from './schema.js';
import {
  invalidParams,
  isStandardSchema,
  jsonSchemaOf,
  type StandardOutput,
  type StandardSchema,
} from './standard-schema.js';
import type { ToolAnnotations } from './tool.js';

/** A tool's members apart from its input. */
export interface ToolOptions<Input> {
  /** `[A-Za-z0-9_.-]`, at most 128 characters. */
  name: string;
  /** What models choose the tool by. */
  description: string;
  title?: string;
  outputSchema?: JsonSchema;
  annotations?: ToolAnnotations;
  /** How long one call may take, in milliseconds; default is the setting `Tools.TimeoutMs`. */
  timeoutMs?: number;
  /** May return anything; docs/spec/plugins.md#results says what becomes of it. */
  run(args: Input, context: CallContext): unknown;
  /** Called once when the plugin is unloaded; for exported tools. */
  dispose?(): void | Promise<void>;
}

/** A tool that may be exported as it is, or be given to `api.registerTool`. */
export interface DefinedTool extends Omit<ToolOptions<unknown>, 'run'> {
  readonly inputSchema: JsonSchema;
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

// biome-ignore lint/suspicious/noExplicitAny: the overloads say what the input is
type AnyOptions = ToolOptions<any> & { inputSchema?: unknown; input?: unknown };

/**
 * Defines a tool; the type of `run`'s arguments comes from its schema. `inputSchema` is a JSON Schema literal, or a
 * Standard Schema (zod, valibot, arktype), which then also validates and transforms: issues become INVALID_PARAMS.
 * For a library without JSON Schema, give the Standard Schema as `input` and its JSON Schema as `inputSchema`.
 * @throws TypeError when there is no JSON Schema to be had
 */
export function defineTool<S extends StandardSchema>(
  options: ToolOptions<StandardOutput<S>> & { inputSchema: S; input?: undefined },
): DefinedTool;
export function defineTool<S extends StandardSchema>(
  options: ToolOptions<StandardOutput<S>> & { input: S; inputSchema?: JsonSchema },
): DefinedTool;
export function defineTool<const S extends JsonSchema>(
  options: ToolOptions<ArgumentsOf<S>> & { inputSchema: S; input?: undefined },
): DefinedTool;
export function defineTool(options: AnyOptions): DefinedTool {
  const { input, inputSchema, run, ...members } = options;
  if (input !== undefined && !isStandardSchema(input)) {
    throw new TypeError(
      `Tool '${options.name}': \`input\` is not a Standard Schema; a JSON Schema belongs into \`inputSchema\`.`,
    );
  }
  const schema = [input, inputSchema].find(isStandardSchema);
  const json = isStandardSchema(inputSchema) ? undefined : (inputSchema as JsonSchema | undefined);
  const tool: DefinedTool = {
    ...members,
    inputSchema: schema !== undefined ? (json ?? jsonSchemaOf(schema, options.name)) : (json as JsonSchema),
    run: schema === undefined ? run : validated(schema, run),
    executeAsync: async (args, _progress, _signal, context) => {
      if (context === undefined) {
        throw new TypeError(`Tool '${options.name}' needs a call context: use runTool of @mortise/plugin/testing.`);
      }
      return tool.run(args ?? {}, context);
    },
  };
  return tool;
}

function validated(schema: StandardSchema, run: AnyOptions['run']): DefinedTool['run'] {
  return async function (this: DefinedTool, args, context) {
    const result = await schema['~standard'].validate(args);
    return result.issues === undefined ? run.call(this, result.value, context) : invalidParams(result.issues, args);
  };
}
