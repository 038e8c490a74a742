/** How a client starts the server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** How a client reaches the server over HTTP. */
export interface Address {
  readonly url: string;
  /** Whether an access key is needed. */
  readonly hasKey: boolean;
}

/** The entry of this server in one MCP client, as its documentation has it. */
export interface ClientEntry {
  readonly title: string;
  /** Where the entry belongs. */
  readonly file: string;
  readonly stdio: (launch: Launch) => string;
  /** Absent where a client has servers over HTTP only in its own dialogue. */
  readonly http?: (address: Address) => string;
}

const NAME = 'mortise';
/** Where a client takes the key from its environment. */
const KEY_VARIABLE = 'MORTISE_KEY';

const json = (value: unknown) => JSON.stringify(value, null, 2);
const headersOf = ({ hasKey }: Address) => hasKey && { headers: { Authorization: 'Bearer <key>' } };
const mcpServers = ({ command, args }: Launch) => json({ mcpServers: { [NAME]: { command, args } } });
const servers = ({ command, args }: Launch) => json({ servers: { [NAME]: { type: 'stdio', command, args } } });
const mcpServersHttp = (address: Address) =>
  json({ mcpServers: { [NAME]: { type: 'http', url: address.url, ...headersOf(address) } } });
const serversHttp = (address: Address) =>
  json({ servers: { [NAME]: { type: 'http', url: address.url, ...headersOf(address) } } });
const shellWord = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** The clients whose form is known; over stdio the same as `mortise init` prints. */
export const CLIENTS: readonly ClientEntry[] = [
  {
    title: 'Claude Code',
    file: 'in a shell',
    stdio: ({ command, args }) =>
      ['claude mcp add --scope user', NAME, '--', ...[command, ...args].map(shellWord)].join(' '),
    http: ({ url, hasKey }) =>
      `claude mcp add --transport http ${NAME} ${url}${hasKey ? ` --header "Authorization: Bearer $${KEY_VARIABLE}"` : ''}`,
  },
  { title: 'Claude Code, project', file: '.mcp.json in a project', stdio: mcpServers, http: mcpServersHttp },
  {
    title: 'Claude Desktop',
    file: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
    stdio: mcpServers,
  },
  {
    title: 'VS Code',
    file: '.vscode/mcp.json, or the command "MCP: Open User Configuration"',
    stdio: servers,
    http: serversHttp,
  },
  {
    title: 'Visual Studio',
    file: '.mcp.json next to the solution, or in the user folder',
    stdio: servers,
    http: serversHttp,
  },
  {
    title: 'Cursor',
    file: '~/.cursor/mcp.json, or .cursor/mcp.json in a project',
    stdio: mcpServers,
    http: (address) => json({ mcpServers: { [NAME]: { url: address.url, ...headersOf(address) } } }),
  },
  {
    title: 'Windsurf',
    file: '~/.codeium/windsurf/mcp_config.json',
    stdio: mcpServers,
    http: (address) => json({ mcpServers: { [NAME]: { serverUrl: address.url, ...headersOf(address) } } }),
  },
  {
    title: 'Gemini CLI',
    file: '~/.gemini/settings.json, or .gemini/settings.json in a project',
    stdio: mcpServers,
    http: (address) => json({ mcpServers: { [NAME]: { httpUrl: address.url, ...headersOf(address) } } }),
  },
  {
    title: 'Codex',
    file: '~/.codex/config.toml',
    stdio: ({ command, args }) =>
      `[mcp_servers.${NAME}]\ncommand = ${JSON.stringify(command)}\nargs = [${args.map((item) => JSON.stringify(item)).join(', ')}]`,
    http: ({ url, hasKey }) =>
      `[mcp_servers.${NAME}]\nurl = ${JSON.stringify(url)}${hasKey ? `\nbearer_token_env_var = "${KEY_VARIABLE}"` : ''}`,
  },
  {
    title: 'Zed',
    file: 'settings.json (command "zed: open settings")',
    stdio: ({ command, args }) => json({ context_servers: { [NAME]: { source: 'custom', command, args, env: {} } } }),
    http: (address) => json({ context_servers: { [NAME]: { url: address.url, ...headersOf(address) } } }),
  },
  {
    title: 'opencode',
    file: 'opencode.json in a project, or ~/.config/opencode/opencode.json',
    stdio: ({ command, args }) =>
      json({ mcp: { [NAME]: { type: 'local', command: [command, ...args], enabled: true } } }),
    http: (address) =>
      json({ mcp: { [NAME]: { type: 'remote', url: address.url, enabled: true, ...headersOf(address) } } }),
  },
  { title: 'Most others', file: 'wherever they keep "mcpServers"', stdio: mcpServers, http: mcpServersHttp },
];
