import { isJsonObject, type JsonObject, type JsonValue } from '../json.js';
import type { ProvidedLists } from './parse-entry.js';
import { usableIcons } from './parse-icons.js';
import { parseAnnotations, parseMeta } from './parse-meta.js';
import { wrapOutputSchema } from './wrapped-output.js';

/** The lists as the server sent them. They are not trusted. */
export interface ListedDefinition {
  readonly tools: readonly unknown[];
  readonly resources: readonly unknown[];
  readonly templates: readonly unknown[];
  readonly prompts: readonly unknown[];
}

export interface ListedDefinitionOptions {
  /** The prefix for the names of tools and prompts. It does not count towards any limit. */
  readonly prefix: string;
  readonly origin: string;
  /** True for MCP 2026-07-28, where an outputSchema can be of any value. */
  readonly allowsAnyOutput?: boolean;
  readonly canComplete: boolean;
}

/** Converts the lists of an MCP server to the form of a plugin's definition, without checking them. */
export function toListedDefinition(
  listed: ListedDefinition,
  options: ListedDefinitionOptions,
): Record<keyof ProvidedLists, unknown[]> {
  const { canComplete } = options;
  const variables = (template: unknown) => (canComplete && typeof template === 'string' ? variablesOf(template) : []);
  const prompt = (entry: JsonObject) => ({
    ...withPrefix(entry, options),
    completes: canComplete && Array.isArray(entry.arguments) ? entry.arguments.flatMap(nameOf) : [],
  });
  return {
    // Members that MCP does not define are not part of the definition.
    tools: listed.tools.map(
      inObject((tool) =>
        without({ ...withObjectOutput(withPrefix(tool, options), options), ...taskOf(tool), origin: options.origin }, [
          'timeoutMs',
          'listed',
          'needsTask',
          'checksArguments',
          'redaction',
          'actions',
        ]),
      ),
    ),
    resources: [
      ...listed.resources.map(
        inObject((resource) =>
          without(withUsableAnnotations(resource), ['uriTemplate', 'completes', 'lists', 'watches']),
        ),
      ),
      ...listed.templates.map(
        inObject((template) => ({
          ...without(withUsableAnnotations(template), ['uri', 'lists', 'watches']),
          completes: variables(template.uriTemplate),
        })),
      ),
    ],
    prompts: listed.prompts.map(inObject(prompt)),
  };
}

/** Marks a tool that its server runs only as a task. The server then calls it as a task; clients do not notice. */
const taskOf = ({ execution }: JsonObject): JsonObject =>
  isJsonObject(execution) && execution.taskSupport === 'required' ? { callsAsTask: true } : {};

/**
 * Wraps an outputSchema that is not of an object into the schema of `{result}`, for clients that allow only objects.
 */
function withObjectOutput(tool: JsonObject, { allowsAnyOutput = false }: ListedDefinitionOptions): JsonObject {
  const listedTool = without(tool, ['wrapsOutput', 'callsAsTask']);
  const { outputSchema } = listedTool;
  if (!isJsonObject(outputSchema)) return listedTool;
  const { type } = outputSchema;
  if (type === 'object' || (type === undefined && !allowsAnyOutput)) return listedTool;
  return { ...listedTool, outputSchema: wrapOutputSchema(outputSchema), wrapsOutput: true };
}

/** Converts entries that are objects. The check of definitions refuses all others. */
const inObject = (convert: (entry: JsonObject) => object) => (entry: unknown) =>
  isJsonObject(entry) ? convert(withUsable(entry)) : entry;

/** Optional members that only decorate an entry. An invalid one is dropped, and the entry stays. */
const USABLE: Readonly<Record<string, (value: JsonValue) => JsonValue | undefined>> = {
  icons: usableIcons,
  _meta: (value) => ('meta' in parseMeta(value) ? value : undefined),
  size: (value) => (Number.isFinite(value) ? value : undefined),
};

function withUsable(entry: JsonObject): JsonObject {
  const names = Object.keys(USABLE).filter((name) => entry[name] != null);
  if (names.length === 0) return entry;
  const usable = names.map((name) => [name, USABLE[name]!(entry[name]!)] as const);
  return {
    ...without(entry, names),
    ...(Object.fromEntries(usable.filter(([, value]) => value !== undefined)) as JsonObject),
  };
}

/** Drops invalid annotations of resources. Those of tools are checked together with the tool. */
const withUsableAnnotations = (entry: JsonObject): JsonObject =>
  entry.annotations == null || 'annotations' in parseAnnotations(entry.annotations)
    ? entry
    : without(entry, ['annotations']);

const withPrefix = (entry: JsonObject, { prefix }: ListedDefinitionOptions): JsonObject =>
  typeof entry.name === 'string' ? { ...entry, name: prefix + entry.name } : entry;

const without = (entry: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name)));

const nameOf = (argument: unknown): string[] =>
  isJsonObject(argument) && typeof argument.name === 'string' ? [argument.name] : [];

function variablesOf(template: string): string[] {
  const expressions = [...template.matchAll(/\{[+#./;?&]?([^{}]+)\}/g)];
  return expressions.flatMap(([, names = '']) => names.split(',').map((name) => name.replace(/\*$|:\d+$/, '')));
}
