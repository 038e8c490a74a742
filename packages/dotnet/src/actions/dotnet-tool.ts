import type { JsonSchema, RegisteredTool, ToolAction, ToolAnnotations } from '@mortise/plugin';
import type { Services } from '../services.js';
import { type Action, parametersOf } from './action.js';
import { InvalidParameterError, missingParameter } from './invalid-parameter.js';
import { type Arguments, fitArguments, PARAMETERS, type Parameter, type ParameterName } from './parameters.js';
import { runAction } from './run-action.js';

export interface DotnetTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The annotations without `readOnlyHint`, which follows from the actions. */
  readonly annotations: Omit<ToolAnnotations, 'readOnlyHint'>;
  readonly actions: Readonly<Record<string, Action>>;
  /** The types of the named fields of all results. */
  readonly output: Readonly<Record<string, FieldType>>;
  /** Descriptions of parameters that mean something else in this tool than in other tools. */
  readonly describes?: Partial<Record<ParameterName, string | JsonSchema>>;
  /** True if the descriptions in the schema name the actions of each parameter and the requirements of each action. */
  readonly namesActions?: true;
  /** Parameters that every action accepts. */
  readonly common?: readonly ParameterName[];
}

export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'any';

/** Longer than any call may take, because each call has its own deadline (`timeoutSeconds`, `Dotnet.TimeoutMs`). */
const TOOL_TIMEOUT_MS = 2_000_000_000;

/** Converts a tool to the form of the plugin contract. @param listed false for a tool that is not in lists */
export function toRegisteredTool(tool: DotnetTool, services: Services, listed: boolean): RegisteredTool {
  const check = checker(tool);
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchema(tool),
    outputSchema: outputSchema(tool),
    annotations: {
      readOnlyHint: Object.values(tool.actions).every(({ isReadOnly, writesWith }) => isReadOnly && !writesWith),
      ...tool.annotations,
    },
    timeoutMs: TOOL_TIMEOUT_MS,
    listed,
    ...(NO_ACTION in tool.actions ? {} : { actions: actionsOf(tool) }),
    async run(args: Arguments, context) {
      const action = tool.actions[args.action ?? NO_ACTION]!;
      const startedAt = performance.now();
      const result = await runAction(tool.name, action, (input) => check(action, input), args, context, services);
      services.metrics.record(tool.name, { durationMs: performance.now() - startedAt, result });
      return result;
    },
  };
}

/** The key of the only action of a tool that has no parameter `action`. */
export const NO_ACTION = '';

/** Returns the schema of `action` and of each parameter that any action accepts, in the order of the parameter table. */
function inputSchema(tool: DotnetTool): JsonSchema {
  const actions = Object.keys(tool.actions);
  const parameters = new Set(Object.values(tool.actions).flatMap((action) => parametersOf(tool, action)));
  const properties: Record<string, JsonSchema> = {};
  const hasActions = actions[0] !== NO_ACTION;
  const requirements = tool.namesActions && { description: requirementsOf(tool) };
  if (hasActions) properties.action = { type: 'string', enum: actions, ...requirements };
  for (const name of Object.keys(PARAMETERS) as ParameterName[]) {
    if (!parameters.has(name)) continue;
    const { schema } = PARAMETERS[name] as Parameter;
    const own = tool.describes?.[name];
    const described =
      typeof own === 'object' ? own : own === undefined ? (schema as JsonSchema) : { ...schema, description: own };
    properties[name] = tool.namesActions
      ? { ...described, description: `${takersOf(tool, name)}${described.description}` }
      : described;
  }
  return {
    type: 'object',
    properties,
    ...(hasActions && { required: ['action'] }),
    additionalProperties: false,
  };
}

/** Describes the required parameters: `Required: New,ListTemplateOptions: template; Stop,Logs: sessionId`. */
function requirementsOf({ actions }: DotnetTool): string {
  const byNeed = new Map<string, string[]>();
  for (const [name, { required = [], requiredOneOf = [] }] of Object.entries(actions)) {
    const need = [...required, ...(requiredOneOf.length > 0 ? [requiredOneOf.join(' or ')] : [])].join(', ');
    if (need !== '') byNeed.set(need, [...(byNeed.get(need) ?? []), name]);
  }
  return `Required: ${[...byNeed].map(([need, names]) => `${names.join()}: ${need}`).join('; ')}`;
}

/**
 * Describes the actions that take a parameter: `Build,Test: `, or `not New: ` if that is shorter. Empty for a parameter
 * of all actions, and for `waitSeconds`, which all actions with a lock take.
 */
function takersOf(tool: DotnetTool, name: ParameterName): string {
  if (name === 'waitSeconds') return '';
  const takes = ([, action]: [string, Action]) => parametersOf(tool, action).includes(name);
  const entries = Object.entries(tool.actions);
  const takers = entries.filter(takes).map(([taker]) => taker);
  const others = entries.filter((entry) => !takes(entry)).map(([other]) => other);
  if (others.length === 0) return '';
  return others.length < takers.length ? `not ${others.join()}: ` : `${takers.join()}: `;
}

/** Describes the parameters and the access of each action, for forms (docs/spec/plugin-api.md#tool-actions). */
function actionsOf(tool: DotnetTool): Record<string, ToolAction> {
  return Object.fromEntries(
    Object.entries(tool.actions).map(([name, action]) => {
      const { required = [], isReadOnly, writesWith } = action;
      const optional = parametersOf(tool, action).filter((parameter) => !required.includes(parameter));
      return [
        name,
        {
          ...(required.length > 0 && { required }),
          ...(optional.length > 0 && { optional }),
          ...(isReadOnly && { readOnlyHint: true }),
          ...(writesWith && { writesWith }),
        },
      ];
    }),
  );
}

/**
 * Returns a schema that every result matches. It has the named fields of the actions and those of an ErrorResponse
 * (docs/spec/dotnet-results.md#output-schema).
 */
function outputSchema({ output }: DotnetTool): JsonSchema {
  const fields = { success: 'boolean', ...output, errors: 'array', exitCode: 'integer', metadata: 'object' } as const;
  const more = { lockInfo: 'object', warnings: 'array', codes: 'object', fullOutput: 'object' } as const;
  const schemas = Object.entries({ ...fields, ...more } as Record<string, FieldType>).map(([name, type]) => [
    name,
    type === 'any' ? {} : { type },
  ]);
  return { type: 'object', properties: Object.fromEntries(schemas) };
}

/**
 * Returns a function that checks the arguments of an action and makes them fit for a command line. It throws
 * InvalidParameterError if an argument is missing or is not a parameter of the action, or if the check of the parameter
 * or of the action refuses it.
 */
function checker(tool: DotnetTool): (action: Action, args: Arguments) => Arguments {
  const accepted = new Map(Object.values(tool.actions).map((action) => [action, parametersOf(tool, action)]));
  return (action, input) => {
    const parameters = accepted.get(action)!;
    const args = fitArguments(input);
    for (const name of action.required ?? []) if (isMissing(args, name)) throw missingParameter(name, valuesOf(name));
    if (action.requiredOneOf) requireOneOf(args, action.requiredOneOf);
    for (const name of Object.keys(args) as ParameterName[]) {
      if ((name as string) === 'action') continue;
      if (!parameters.includes(name)) throw notAccepted(tool, args.action ?? tool.name, name);
      const { check, mayBeBlank } = PARAMETERS[name] as Parameter;
      const value = args[name];
      if (!mayBeBlank && typeof value === 'string' && value.trim() === '') throw missingParameter(name);
      (action.checks?.[name] ?? check)?.(value, name);
    }
    return args;
  };
}

/** Returns a hint that lists the values of a parameter with a closed set of values. */
function valuesOf(name: ParameterName): string | undefined {
  const { enum: values } = (PARAMETERS[name] as Parameter).schema;
  return Array.isArray(values) ? `Give one of: ${values.join(', ')}.` : undefined;
}

function requireOneOf(args: Arguments, [one, several]: readonly [ParameterName, ParameterName]): void {
  const isOneMissing = isMissing(args, one);
  if (isOneMissing !== isMissing(args, several)) return;
  if (isOneMissing) throw missingParameter(one, `Give ${one}, or ${several} for several at once.`);
  throw new InvalidParameterError(several, 'conflict', `Parameters '${one}' and '${several}' cannot be combined`, {
    hint: `Give ${several} alone.`,
  });
}

function isMissing(args: Arguments, name: ParameterName): boolean {
  const value = args[name];
  if (value === undefined) return true;
  if (typeof value === 'object') return Object.keys(value).length === 0;
  return typeof value === 'string' && value.trim() === '' && !(PARAMETERS[name] as Parameter).mayBeBlank;
}

function notAccepted(tool: DotnetTool, action: string, name: ParameterName): InvalidParameterError {
  const takers = Object.entries(tool.actions).filter(([, item]) => parametersOf(tool, item).includes(name));
  const names = takers.map(([taker]) => taker).join(', ');
  const other =
    name === 'projectPath' && parametersOf(tool, tool.actions[action]!).includes('project') ? 'project' : undefined;
  const hint = `Actions that take it: ${names}`;
  return new InvalidParameterError(
    name,
    'unknown parameter',
    `Parameter '${name}' is not used by the action ${action}`,
    {
      hint: other === undefined ? hint : `${action} takes '${other}' for it. ${hint}`,
    },
  );
}
