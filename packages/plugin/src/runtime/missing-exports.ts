import { basename, dirname, extname } from 'node:path';
import { importedPackages } from './imported-packages.js';
import { tryRead } from './likely-mistakes.js';
import { loadProblem } from './load-problem.js';
import type { PluginProblem } from './problem.js';
import type { ModuleExports } from './tool-exports.js';

/** Packages with which MCP servers are written, and their classes. */
const SERVER_PACKAGES = ['@modelcontextprotocol/sdk', '@modelcontextprotocol/server', 'fastmcp', 'mcp-framework'];
const SERVER_CLASSES = ['McpServer', 'Server', 'FastMCP', 'MCPServer'];

/**
 * The problem of a module without `register` that exports nothing, or an MCP server: such a server is mounted instead.
 * @param file its absolute path
 * @param root the folder of a plugin that is one
 */
export function missingExports(
  exports: ModuleExports,
  file: string,
  root: string | undefined,
): PluginProblem | undefined {
  const isEmpty = exportsNothing(exports);
  if (!isEmpty && !exports.exported.some(({ value }) => isServer(value))) return undefined;
  const used = importedPackages(file).find(({ name }) => SERVER_PACKAGES.includes(name))?.name;
  if (used !== undefined) return isServerInstead(used, file, root);
  return isEmpty ? loadProblem('EXPORTS_MISSING', 'The module exports nothing.', { file }) : undefined;
}

function isServerInstead(used: string, file: string, root = file): PluginProblem {
  const name = basename(root, extname(root)).replace(/[^A-Za-z0-9_.-]+/g, '_');
  const isTypeScript = /\.[mc]?ts$/.test(file);
  const entry = isTypeScript ? { command: 'npx', args: ['-y', 'tsx', file] } : { command: 'node', args: [file] };
  const settings = JSON.stringify({ Plugins: { McpServers: { [name]: entry } } });
  const message = `The module exports no tool. It imports '${used}', so it seems to be an MCP server.`;
  return {
    ...loadProblem('EXPORTS_MISSING', message, { file }),
    hint: `Mount it: move it out of ${dirname(root)}, and put ${settings} with its new path into appsettings.json.`,
  };
}

/** Also where CommonJS leaves `module.exports` as it was. */
const exportsNothing = ({ exported, unreadable }: ModuleExports): boolean =>
  unreadable.length === 0 && exported.every(({ value }) => tryRead(() => isEmptyObject(value)) ?? false);

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

const isServer = (value: unknown): boolean =>
  tryRead(() => SERVER_CLASSES.includes((value as object).constructor.name)) ?? false;
