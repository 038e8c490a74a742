import { isJsonObject, type JsonObject, type JsonValue } from '../json.js';
import type { ProvidedLists } from './parse-entry.js';
import { usableIcons } from './parse-icons.js';
import { parseAnnotations, parseMeta } from './parse-meta.js';
import { wrapOutputSchema } from './wrapped-output.js';

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
  /** MCP 2026-07-28, whose outputSchemas need not be of an object. */
  readonly allowsAnyOutput?: boolean;
  /** Whether the server completes arguments. */
  readonly canComplete: boolean;
}

/** The lists of an MCP server in the form of a plugin's definition: unchecked, as they came. */
export function toListedDefinition(
  listed: ListedDefinition,
  options: ListedDefinitionOptions,
): Record<keyof ProvidedLists, unknown[]> {
  const { canComplete } = options;
  const variables = (template: unknown) => (canComplete && typeof template === 'string' ? variablesOf(template) : []);
  const prompt = (entry: JsonObject) => ({
    ...named(entry, options),
    completes: canComplete && Array.isArray(entry.arguments) ? entry.arguments.flatMap(nameOf) : [],
  });
  return {
    // Members that MCP does not define are not part of the definition.
    tools: listed.tools.map(
      inObject((tool) =>
        omitted({ ...withObjectOutput(named(tool, options), options), ...taskOf(tool), origin: options.origin }, [
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
          omitted(withUsableAnnotations(resource), ['uriTemplate', 'completes', 'lists', 'watches']),
        ),
      ),
      ...listed.templates.map(
        inObject((template) => ({
          ...omitted(withUsableAnnotations(template), ['uri', 'lists', 'watches']),
          completes: variables(template.uriTemplate),
        })),
      ),
    ],
    prompts: listed.prompts.map(inObject(prompt)),
  };
}

/** A tool that its server runs only as a task: it is called so, and clients see nothing of that. */
const taskOf = ({ execution }: JsonObject): JsonObject =>
  isJsonObject(execution) && execution.taskSupport === 'required' ? { callsAsTask: true } : {};

/** A tool whose outputSchema is not of an object has it as the schema of `result`, for what does not allow it otherwise. */
function withObjectOutput(tool: JsonObject, { allowsAnyOutput = false }: ListedDefinitionOptions): JsonObject {
  const own = omitted(tool, ['wrapsOutput', 'callsAsTask']);
  const { outputSchema } = own;
  if (!isJsonObject(outputSchema)) return own;
  const { type } = outputSchema;
  if (type === 'object' || (type === undefined && !allowsAnyOutput)) return own;
  return { ...own, outputSchema: wrapOutputSchema(outputSchema), wrapsOutput: true };
}

/** Converts entries that are objects. The check of definitions refuses the others. */
const inObject = (convert: (entry: JsonObject) => object) => (entry: unknown) =>
  isJsonObject(entry) ? convert(withUsable(entry)) : entry;

/** Members that only decorate an entry: one that MCP does not have so is left out, and the entry stays. */
const USABLE: Readonly<Record<string, (value: JsonValue) => JsonValue | undefined>> = {
  icons: usableIcons,
  _meta: (value) => ('meta' in parseMeta(value) ? value : undefined),
  size: (value) => (Number.isFinite(value) ? value : undefined),
};

function withUsable(entry: JsonObject): JsonObject {
  const found = Object.keys(USABLE).filter((name) => entry[name] != null);
  if (found.length === 0) return entry;
  const usable = found.map((name) => [name, USABLE[name]!(entry[name]!)] as const);
  return {
    ...omitted(entry, found),
    ...(Object.fromEntries(usable.filter(([, value]) => value !== undefined)) as JsonObject),
  };
}

/** The same for the annotations of resources; those of tools are checked with the tool. */
const withUsableAnnotations = (entry: JsonObject): JsonObject =>
  entry.annotations == null || 'annotations' in parseAnnotations(entry.annotations)
    ? entry
    : omitted(entry, ['annotations']);

const named = (entry: JsonObject, { prefix }: ListedDefinitionOptions): JsonObject =>
  typeof entry.name === 'string' ? { ...entry, name: prefix + entry.name } : entry;

const omitted = (entry: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name)));

const nameOf = (argument: unknown): string[] =>
  isJsonObject(argument) && typeof argument.name === 'string' ? [argument.name] : [];

/** The names in an RFC 6570 template. */
function variablesOf(template: string): string[] {
  const expressions = [...template.matchAll(/\{[+#./;?&]?([^{}]+)\}/g)];
  return expressions.flatMap(([, names = '']) => names.split(',').map((name) => name.replace(/\*$|:\d+$/, '')));
}
