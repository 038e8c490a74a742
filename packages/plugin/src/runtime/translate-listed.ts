import type { JsonObject } from '../json.js';
import type { ProvidedLists } from './read-entry.js';
import { isJsonObject } from './to-json-value.js';

/** What an MCP server lists, as it came: untrusted. */
export interface ListedDefinition {
  readonly tools: readonly unknown[];
  readonly resources: readonly unknown[];
  readonly templates: readonly unknown[];
  readonly prompts: readonly unknown[];
}

export interface ListedDefinitionOptions {
  /** Goes before the names of tools and prompts, and counts for no limit. */
  readonly prefix: string;
  readonly origin: string;
  /** Whether the server completes arguments. */
  readonly canComplete: boolean;
}

/** The lists of an MCP server in the form of a plugin's definition: unchecked, as they came. */
export function translateListed(
  listed: ListedDefinition,
  options: ListedDefinitionOptions,
): Record<keyof ProvidedLists, unknown[]> {
  const { canComplete } = options;
  const variables = (template: unknown) => (canComplete && typeof template === 'string' ? variablesOf(template) : []);
  const prompt = (given: JsonObject) => ({
    ...named(given, options),
    completes: canComplete && Array.isArray(given.arguments) ? given.arguments.flatMap(nameOf) : [],
  });
  return {
    // What a list says beyond MCP's members is the server's own business.
    tools: listed.tools.map(
      inObject((tool) => omitted({ ...named(tool, options), origin: options.origin }, ['timeoutMs', 'listed'])),
    ),
    resources: [
      ...listed.resources.map(inObject((resource) => omitted(resource, ['uriTemplate', 'completes']))),
      ...listed.templates.map(
        inObject((template) => ({ ...omitted(template, ['uri']), completes: variables(template.uriTemplate) })),
      ),
    ],
    prompts: listed.prompts.map(inObject(prompt)),
  };
}

/** What is not an object is for the check to refuse. */
const inObject = (translate: (given: JsonObject) => object) => (given: unknown) =>
  isJsonObject(given) ? translate(given) : given;

const named = (given: JsonObject, { prefix }: ListedDefinitionOptions): JsonObject =>
  typeof given.name === 'string' ? { ...given, name: prefix + given.name } : given;

const omitted = (given: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));

const nameOf = (argument: unknown): string[] =>
  isJsonObject(argument) && typeof argument.name === 'string' ? [argument.name] : [];

/** The names in an RFC 6570 template. */
function variablesOf(template: string): string[] {
  const expressions = [...template.matchAll(/\{[+#./;?&]?([^{}]+)\}/g)];
  return expressions.flatMap(([, names = '']) => names.split(',').map((name) => name.replace(/\*$|:\d+$/, '')));
}
