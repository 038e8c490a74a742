import { basename, dirname, extname } from 'node:path';
import { importedPackages } from './imported-packages.js';
import { loadProblem } from './load-problem.js';
import type { PluginProblem } from './problem.js';
import type { ModuleExports } from './tool-exports.js';
import { tryRead } from './try-read.js';

const SERVER_PACKAGES = ['@modelcontextprotocol/sdk', '@modelcontextprotocol/server', 'fastmcp', 'mcp-framework'];
const SERVER_CLASSES = ['McpServer', 'Server', 'FastMCP', 'MCPServer'];

/**
 * The problem of a module without `register` that exports nothing or an MCP server. Such a server has to be mounted
 * instead.
 * @param file the absolute path of the module
 * @param root the plugin's folder, if the plugin is a folder
 */
export function missingExports(
  exports: ModuleExports,
  file: string,
  root: string | undefined,
): PluginProblem | undefined {
  const isEmpty = exportsNothing(exports);
  if (!isEmpty && !exports.exported.some(({ value }) => isServer(value))) return undefined;
  const serverPackage = importedPackages(file).find(({ name }) => SERVER_PACKAGES.includes(name))?.name;
  if (serverPackage !== undefined) return serverProblem(serverPackage, file, root);
  return isEmpty ? loadProblem('EXPORTS_MISSING', 'The module exports nothing.', { file }) : undefined;
}

function serverProblem(serverPackage: string, file: string, root = file): PluginProblem {
  const name = basename(root, extname(root)).replace(/[^A-Za-z0-9_.-]+/g, '_');
  const isTypeScript = /\.[mc]?ts$/.test(file);
  const entry = isTypeScript ? { command: 'npx', args: ['-y', 'tsx', file] } : { command: 'node', args: [file] };
  const settings = JSON.stringify({ Plugins: { McpServers: { [name]: entry } } });
  const message = `The module exports no tool. It imports '${serverPackage}', so it seems to be an MCP server.`;
  return {
    ...loadProblem('EXPORTS_MISSING', message, { file }),
    hint: `Mount the server instead: move it out of ${dirname(root)}, and put ${settings} with its new path into appsettings.json.`,
  };
}

/** True also if a CommonJS module does not assign `module.exports`. */
const exportsNothing = ({ exported, unreadable }: ModuleExports): boolean =>
  unreadable.length === 0 && exported.every(({ value }) => tryRead(() => isEmptyObject(value)) ?? false);

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

const isServer = (value: unknown): boolean =>
  tryRead(() => SERVER_CLASSES.includes((value as object).constructor.name)) ?? false;
