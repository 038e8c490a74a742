import { KEY_VARIABLE } from '../../core/page-names.js';

/** How a client starts the server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** An argument as the shell of this machine takes it literally. Default: as it is. */
  readonly quote?: (argument: string) => string;
}

/** How a client reaches the server over HTTP. */
export interface Address {
  readonly url: string;
  /** Whether an access key is needed. */
  readonly hasKey: boolean;
}

/** The entry of the server in one MCP client, as the client's own documentation has it. */
export interface ClientEntry {
  readonly title: string;
  /** Where the entry belongs. */
  readonly configFile: string;
  readonly format: 'json' | 'toml' | 'shell';
  /** The complete entry over stdio, including its surroundings in the file. */
  entry(launch: Launch): string;
  /** The same over HTTP. Absent where a client has such servers only in its own dialogue. */
  httpEntry?(address: Address): string;
}

const NAME = 'mortise';

const json = (value: unknown) => JSON.stringify(value, null, 2);
/** A basic string of TOML: JSON's escapes, and DEL too. */
const tomlString = (text: string) => JSON.stringify(text).replaceAll('\u007F', '\\u007F');
const headersOf = ({ hasKey }: Address) => hasKey && { headers: { Authorization: 'Bearer <key>' } };

const mcpServers = ({ command, args }: Launch) => json({ mcpServers: { [NAME]: { command, args } } });
const servers = ({ command, args }: Launch) => json({ servers: { [NAME]: { type: 'stdio', command, args } } });
const httpIn = (section: string, urlMember: string, more?: object) => (address: Address) =>
  json({ [section]: { [NAME]: { ...more, [urlMember]: address.url, ...headersOf(address) } } });

/**
 * The clients whose form is known, by the name that `mortise init --client` takes. The workbench page is built with this table
 * and shows the same entries.
 */
export const CLIENTS = {
  'claude-code': {
    title: 'Claude Code',
    configFile: 'in a shell',
    format: 'shell',
    entry: ({ command, args, quote = (argument) => argument }) =>
      ['claude mcp add --scope user', NAME, '--', ...[command, ...args].map((item) => quote(item))].join(' '),
    httpEntry: ({ url, hasKey }) =>
      `claude mcp add --transport http ${NAME} ${url}${hasKey ? ` --header "Authorization: Bearer $${KEY_VARIABLE}"` : ''}`,
  },
  'claude-code-project': {
    title: 'Claude Code, project',
    configFile: '.mcp.json in a project',
    format: 'json',
    entry: mcpServers,
    httpEntry: httpIn('mcpServers', 'url', { type: 'http' }),
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    configFile: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
    format: 'json',
    entry: mcpServers,
  },
  vscode: {
    title: 'VS Code',
    configFile: '.vscode/mcp.json, or the command "MCP: Open User Configuration"',
    format: 'json',
    entry: servers,
    httpEntry: httpIn('servers', 'url', { type: 'http' }),
  },
  'visual-studio': {
    title: 'Visual Studio',
    configFile: '.mcp.json next to the solution, or in the user folder',
    format: 'json',
    entry: servers,
    httpEntry: httpIn('servers', 'url', { type: 'http' }),
  },
  cursor: {
    title: 'Cursor',
    configFile: '~/.cursor/mcp.json, or .cursor/mcp.json in a project',
    format: 'json',
    entry: mcpServers,
    httpEntry: httpIn('mcpServers', 'url'),
  },
  windsurf: {
    title: 'Windsurf',
    configFile: '~/.codeium/windsurf/mcp_config.json',
    format: 'json',
    entry: mcpServers,
    httpEntry: httpIn('mcpServers', 'serverUrl'),
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    configFile: '~/.gemini/settings.json, or .gemini/settings.json in a project',
    format: 'json',
    entry: mcpServers,
    httpEntry: httpIn('mcpServers', 'httpUrl'),
  },
  codex: {
    title: 'Codex',
    configFile: '~/.codex/config.toml',
    format: 'toml',
    entry: ({ command, args }) =>
      `[mcp_servers.${NAME}]\ncommand = ${tomlString(command)}\nargs = [${args.map(tomlString).join(', ')}]`,
    httpEntry: ({ url, hasKey }) =>
      `[mcp_servers.${NAME}]\nurl = ${tomlString(url)}${hasKey ? `\nbearer_token_env_var = "${KEY_VARIABLE}"` : ''}`,
  },
  zed: {
    title: 'Zed',
    configFile: 'settings.json (command "zed: open settings")',
    format: 'json',
    entry: ({ command, args }) => json({ context_servers: { [NAME]: { source: 'custom', command, args, env: {} } } }),
    httpEntry: httpIn('context_servers', 'url'),
  },
  opencode: {
    title: 'opencode',
    configFile: 'opencode.json in a project, or ~/.config/opencode/opencode.json',
    format: 'json',
    entry: ({ command, args }) =>
      json({ mcp: { [NAME]: { type: 'local', command: [command, ...args], enabled: true } } }),
    httpEntry: (address) =>
      json({ mcp: { [NAME]: { type: 'remote', url: address.url, enabled: true, ...headersOf(address) } } }),
  },
  other: {
    title: 'Most others',
    configFile: 'wherever they keep "mcpServers"',
    format: 'json',
    entry: mcpServers,
    httpEntry: httpIn('mcpServers', 'url', { type: 'http' }),
  },
} as const satisfies Readonly<Record<string, ClientEntry>>;

export type ClientName = keyof typeof CLIENTS;
