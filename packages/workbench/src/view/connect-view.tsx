import { hasKey } from '../state/connection.js';
import { CopyButton } from './parts.js';

interface Client {
  readonly title: string;
  /** Where the entry belongs. */
  readonly file: string;
  readonly entry: (url: string, headers: Readonly<Record<string, string>> | undefined) => string;
}

const NAME = 'mortise';
const json = (value: unknown) => JSON.stringify(value, null, 2);
const withHeaders = (entry: object, headers: object | undefined) => ({ ...entry, ...(headers && { headers }) });

/** The form of an entry for a server over HTTP, as the documentation of each client has it. */
const CLIENTS: readonly Client[] = [
  {
    title: 'Claude Code',
    file: 'in a shell',
    entry: (url, headers) =>
      `claude mcp add --transport http ${NAME} ${url}${headers ? ' --header "Authorization: Bearer $MORTISE_KEY"' : ''}`,
  },
  {
    title: 'VS Code',
    file: '.vscode/mcp.json',
    entry: (url, headers) => json({ servers: { [NAME]: withHeaders({ type: 'http', url }, headers) } }),
  },
  {
    title: 'Visual Studio',
    file: '.mcp.json next to the solution',
    entry: (url, headers) => json({ servers: { [NAME]: withHeaders({ type: 'http', url }, headers) } }),
  },
  {
    title: 'Cursor',
    file: '~/.cursor/mcp.json',
    entry: (url, headers) => json({ mcpServers: { [NAME]: withHeaders({ url }, headers) } }),
  },
  {
    title: 'Windsurf',
    file: '~/.codeium/windsurf/mcp_config.json',
    entry: (url, headers) => json({ mcpServers: { [NAME]: withHeaders({ serverUrl: url }, headers) } }),
  },
  {
    title: 'Gemini CLI',
    file: '~/.gemini/settings.json',
    entry: (url, headers) => json({ mcpServers: { [NAME]: withHeaders({ httpUrl: url }, headers) } }),
  },
  {
    title: 'opencode',
    file: 'opencode.json',
    entry: (url, headers) => json({ mcp: { [NAME]: withHeaders({ type: 'remote', url, enabled: true }, headers) } }),
  },
  {
    title: 'Most others',
    file: 'wherever they keep "mcpServers"',
    entry: (url, headers) => json({ mcpServers: { [NAME]: withHeaders({ type: 'http', url }, headers) } }),
  },
];

export function ConnectView() {
  const url = new URL('/mcp', location.href).href;
  const headers = hasKey() ? { Authorization: 'Bearer <key>' } : undefined;
  return (
    <section class="page" aria-label="Connect">
      <h1>Connect a client</h1>
      <p>
        The server speaks MCP at <code>{url}</code>.
        {headers && ' Put your access key in place of <key>: the page does not show it.'}
      </p>
      <p class="hint">
        A client that starts the server itself, over stdio, takes the entry that <code>mortise init</code> prints.
      </p>
      <div class="cards">
        {CLIENTS.map(({ title, file, entry }) => (
          <article key={title} class="panel client" aria-label={title}>
            <h2>{title}</h2>
            <p class="hint">{file}</p>
            <pre class="text" tabIndex={0} aria-label={`Entry for ${title}`}>
              {entry(url, headers)}
            </pre>
            <CopyButton label="Copy" text={() => entry(url, headers)} />
          </article>
        ))}
      </div>
    </section>
  );
}
