import { sep } from 'node:path';
import { packagePath } from '../../util/package-root.js';
import { shellQuote } from './shell-quote.js';

/** How a client starts the server. Absolute, so that it works from anywhere. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** How a server is configured in one MCP client. */
export interface Client {
  readonly title: string;
  /** The file that the entry belongs into, as the client's own documentation names it. */
  readonly configFile: string;
  readonly format: 'json' | 'toml' | 'shell';
  /** The complete entry, including its surroundings in the file. */
  entry(launch: Launch): string;
}

const NAME = 'mortise';

const json = (value: unknown) => JSON.stringify(value, null, 2);
const mcpServers = ({ command, args }: Launch) => json({ mcpServers: { [NAME]: { command, args } } });
const servers = ({ command, args }: Launch) => json({ servers: { [NAME]: { type: 'stdio', command, args } } });

/** The clients whose form is known, by the name that `--client` takes. */
export const CLIENTS = {
  'claude-desktop': {
    title: 'Claude Desktop',
    configFile: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
    format: 'json',
    entry: mcpServers,
  },
  cursor: {
    title: 'Cursor',
    configFile: '~/.cursor/mcp.json, or .cursor/mcp.json in a project',
    format: 'json',
    entry: mcpServers,
  },
  windsurf: { title: 'Windsurf', configFile: '~/.codeium/windsurf/mcp_config.json', format: 'json', entry: mcpServers },
  'gemini-cli': {
    title: 'Gemini CLI',
    configFile: '~/.gemini/settings.json, or .gemini/settings.json in a project',
    format: 'json',
    entry: mcpServers,
  },
  'claude-code-project': {
    title: 'Claude Code',
    configFile: '.mcp.json in a project',
    format: 'json',
    entry: mcpServers,
  },
  other: { title: 'Most others', configFile: 'wherever they keep "mcpServers"', format: 'json', entry: mcpServers },
  'claude-code': {
    title: 'Claude Code',
    configFile: 'in a shell',
    format: 'shell',
    entry: ({ command, args }) =>
      ['claude mcp add --scope user', NAME, '--', ...[command, ...args].map((item) => shellQuote(item))].join(' '),
  },
  vscode: {
    title: 'VS Code',
    configFile: '.vscode/mcp.json, or the command "MCP: Open User Configuration"',
    format: 'json',
    entry: servers,
  },
  'visual-studio': {
    title: 'Visual Studio',
    configFile: '.mcp.json next to the solution, or in the user folder',
    format: 'json',
    entry: servers,
  },
  zed: {
    title: 'Zed',
    configFile: 'settings.json (command "zed: open settings")',
    format: 'json',
    entry: ({ command, args }) => json({ context_servers: { [NAME]: { source: 'custom', command, args, env: {} } } }),
  },
  opencode: {
    title: 'opencode',
    configFile: 'opencode.json in a project, or ~/.config/opencode/opencode.json',
    format: 'json',
    entry: ({ command, args }) =>
      json({ mcp: { [NAME]: { type: 'local', command: [command, ...args], enabled: true } } }),
  },
  codex: {
    title: 'Codex',
    configFile: '~/.codex/config.toml',
    format: 'toml',
    entry: ({ command, args }) =>
      [`[mcp_servers.${NAME}]`, `command = ${tomlString(command)}`, `args = [${args.map(tomlString).join(', ')}]`].join(
        '\n',
      ),
  },
} as const satisfies Readonly<Record<string, Client>>;

export type ClientName = keyof typeof CLIENTS;

export interface OwnLaunch extends Launch {
  /** Whether this installation is one that npx keeps only for a while. */
  readonly isTemporary: boolean;
}

/** Starts this very installation with a configuration, and perhaps another plugins folder; both absolute. */
export function launchOf(config: string, plugins?: string): OwnLaunch {
  const bin = packagePath('bin/mortise.mjs');
  const args = [bin, 'serve', '--config', config, ...(plugins === undefined ? [] : ['--plugins', plugins])];
  return { command: process.execPath, args, isTemporary: bin.includes(`${sep}_npx${sep}`) };
}

/** A basic string of TOML: JSON's escapes, and DEL too. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F');
}
