import { type LoadProblemCode, loadProblem } from './load-problem.js';
import type { PluginDefinition, PromptDefinition, ResourceDefinition, ToolDefinition } from './plugin-instance.js';
import type { PluginProblem } from './problem.js';
import { readPromptDefinition } from './registered-prompts.js';
import { MalformedRegistration, readResourceDefinition } from './registered-resources.js';
import { readToolDefinition } from './tool-definition.js';

/** What an MCP server lists, as it came: untrusted. */
export interface ListedOffers {
  readonly tools: readonly unknown[];
  readonly resources: readonly unknown[];
  readonly templates: readonly unknown[];
  readonly prompts: readonly unknown[];
}

export interface ListedOffersOptions {
  /** Where problems say that they are. */
  readonly file: string;
  /** Goes before the names of tools and prompts, and counts for no limit. */
  readonly prefix: string;
  readonly origin: string;
  /** Whether the server completes arguments. */
  readonly canComplete: boolean;
}

/** The lists of an MCP server as a plugin's definition: what is malformed costs only itself, and is a problem. */
export function readListedOffers(listed: ListedOffers, options: ListedOffersOptions): PluginDefinition {
  const problems: PluginProblem[] = [];
  return {
    tools: listed.tools.flatMap((tool) => readTool(tool, options, problems)),
    resources: [
      ...listed.resources.flatMap((resource) => readResource(resource, options, problems)),
      ...listed.templates.flatMap((template) => readResource(template, options, problems)),
    ],
    prompts: listed.prompts.flatMap((prompt) => readPrompt(prompt, options, problems)),
    problems,
  };
}

function readTool(
  tool: unknown,
  { file, origin, prefix }: ListedOffersOptions,
  problems: PluginProblem[],
): ToolDefinition[] {
  const { name } = (tool ?? {}) as { name?: unknown };
  const place = { file, ...(typeof name === 'string' && { subject: prefix + name }) };
  const given = typeof tool === 'object' && tool !== null ? tool : {};
  // What a list says beyond MCP's members is the server's own business.
  const read = readToolDefinition({ ...given, timeoutMs: undefined, listed: undefined }, origin, place, prefix);
  problems.push(...read.problems);
  return read.definition ? [read.definition] : [];
}

function readResource(
  resource: unknown,
  options: ListedOffersOptions,
  problems: PluginProblem[],
): ResourceDefinition[] {
  return attempt('RESOURCE_MALFORMED', options, problems, () => {
    const definition = readResourceDefinition(resource);
    const { uriTemplate } = definition;
    return { ...definition, completes: options.canComplete && uriTemplate ? variablesOf(uriTemplate) : [] };
  });
}

function readPrompt(prompt: unknown, options: ListedOffersOptions, problems: PluginProblem[]): PromptDefinition[] {
  return attempt('PROMPT_MALFORMED', options, problems, () => {
    const definition = readPromptDefinition(prompt);
    const completes = options.canComplete ? definition.arguments.map(({ name }) => name) : [];
    return { ...definition, name: options.prefix + definition.name, completes };
  });
}

function attempt<T>(
  code: LoadProblemCode,
  { file }: ListedOffersOptions,
  problems: PluginProblem[],
  read: () => T,
): T[] {
  try {
    return [read()];
  } catch (error) {
    if (!(error instanceof MalformedRegistration)) throw error;
    problems.push(loadProblem(code, error.message, { file }));
    return [];
  }
}

/** The names in an RFC 6570 template. */
function variablesOf(template: string): string[] {
  const expressions = [...template.matchAll(/\{[+#./;?&]?([^{}]+)\}/g)];
  return expressions.flatMap(([, names = '']) => names.split(',').map((name) => name.replace(/\*$|:\d+$/, '')));
}
