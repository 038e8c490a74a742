import type { JsonObject, JsonSchema } from '@mortise/plugin';
import { suggestNames } from '@mortise/plugin/runtime';
import type { ListedTool, ServerApi } from '../../core/server-api.js';
import { issueText, settingsWarning } from '../shared/issue.js';
import { toolNamed } from '../shared/part-of-catalog.js';
import type { Terminal } from '../shared/terminal.js';
import { type RawArguments, type ReadText, toArguments } from './arguments.js';

/**
 * Parses the arguments for a tool of the server by the tool's schema. Prints a warning for each argument that the
 * schema allows but does not name.
 * @throws CliError if the arguments cannot be parsed, for example because they are not valid JSON
 */
export async function argumentsFor(
  server: ServerApi,
  tool: string,
  raw: RawArguments,
  { terminal, readText }: { terminal: Terminal; readText: ReadText },
): Promise<JsonObject> {
  const schema = findTool(server, tool)?.inputSchema ?? {};
  const args = await toArguments(raw, schema, readText);
  for (const warning of unknownArguments(args, schema))
    terminal.err(issueText(settingsWarning(server.redact(warning)), terminal.style));
  return args;
}

/** Finds a tool by its name or by the portable spelling of its name. */
export function findTool(server: ServerApi, name: string): ListedTool | undefined {
  return toolNamed(server.mcpLists().tools, name);
}

/**
 * Returns a warning for each argument that the schema allows but does not name. If the schema does not allow it, the
 * call itself reports it.
 */
function unknownArguments(args: JsonObject, schema: JsonSchema): string[] {
  const { properties, additionalProperties, patternProperties } = schema;
  if (properties === undefined || additionalProperties !== undefined || patternProperties !== undefined) return [];
  // A branch may name further parameters.
  if (['oneOf', 'anyOf', 'allOf', 'if', '$ref'].some((keyword) => keyword in schema)) return [];
  const names = Object.keys(properties);
  return Object.keys(args)
    .filter((key) => !names.includes(key))
    .map((key) => {
      const [closest] = suggestNames(key, names, 1);
      const question = closest === undefined ? '' : ` Did you mean '${closest}'?`;
      return `The tool has no parameter '${key}'.${question}`;
    });
}
