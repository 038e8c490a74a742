import { KEY_VARIABLE } from '../../core/page-names.js';

/** The command with which a client starts the server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** Quotes an argument for the shell of this machine. Default: does not change it. */
  readonly quote?: (argument: string) => string;
}

/** The address at which a client reaches the server over HTTP. */
export interface Address {
  readonly url: string;
  /** True if the server requires an access key. */
  readonly hasKey: boolean;
}

/** The entry of the server in one MCP client, in the form of the client's own documentation. */
export interface ClientEntry {
  readonly title: string;
  /** The place of the entry in words. */
  readonly configFile: string;
  readonly format: 'json' | 'toml' | 'shell';
  /** Returns the complete entry for stdio, including the objects in the file that contain it. */
  entry(launch: Launch): string;
  /** Returns the complete entry for HTTP. Absent if the client's file cannot have such servers. */
  httpEntry?(address: Address): string;
}

const NAME = 'mortise';

const json = (value: unknown) => JSON.stringify(value, null, 2);
/** Returns a basic string of TOML, which has the escapes of JSON and also escapes DEL. */
const tomlString = (text: string) => JSON.stringify(text).replaceAll('\u007F', '\\u007F');
const headersOf = ({ hasKey }: Address) => hasKey && { headers: { Authorization: 'Bearer <key>' } };

const mcpServers = ({ command, args }: Launch) => json({ mcpServers: { [NAME]: { command, args } } });
const servers = ({ command, args }: Launch) => json({ servers: { [NAME]: { type: 'stdio', command, args } } });
const httpIn = (section: string, urlMember: string, otherMembers?: object) => (address: Address) =>
  json({ [section]: { [NAME]: { ...otherMembers, [urlMember]: address.url, ...headersOf(address) } } });

/** The known clients, by their names for `mortise init --client`. The workbench page shows the same entries. */
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
