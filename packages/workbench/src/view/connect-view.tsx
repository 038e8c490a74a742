import { CLIENTS, type ClientEntry } from 'mortise/cli/shared/client-entries';
import { KEY_VARIABLE, MCP_PATH } from 'mortise/core/page-names';
import { useState } from 'preact/hooks';
import { hasKey } from '../state/connection.js';
import { CopyButton, Tabs } from './parts.js';

/** The page does not know the path of the server's configuration, so the user has to insert it. */
const LAUNCH = { command: 'npx', args: ['-y', 'mortise', 'serve', '--config', '/path/to/appsettings.json'] };

/** For each known client, the configuration entry that connects it with this server. */
export function ConnectView() {
  const [tab, setTab] = useState('http');
  return (
    <section class="page" aria-label="Connect">
      <h1>Connect a client</h1>
      <Tabs
        label="How the client connects"
        selected={tab}
        onSelect={setTab}
        tabs={[
          { id: 'http', label: 'Over HTTP' },
          { id: 'stdio', label: 'Over stdio' },
        ]}
      >
        {tab === 'http' ? <OverHttp /> : <OverStdio />}
      </Tabs>
    </section>
  );
}

function OverHttp() {
  const address = { url: new URL(MCP_PATH, location.href).href, hasKey: hasKey() };
  return (
    <>
      <p>
        While it runs, this server is reachable over MCP at <code>{address.url}</code>.
        {address.hasKey && (
          <>
            {' '}
            The entries do not contain your access key. Replace <code>{'<key>'}</code> by it, or set the variable{' '}
            <code>{KEY_VARIABLE}</code>.
          </>
        )}
      </p>
      <Entries entryOf={({ httpEntry }) => httpEntry?.(address)} />
    </>
  );
}

function OverStdio() {
  return (
    <>
      <p>
        The client starts its own server. In these entries, replace the path by the path of your configuration.{' '}
        <code>mortise init</code> prints them with your paths.
      </p>
      <Entries entryOf={({ entry }) => entry(LAUNCH)} />
    </>
  );
}

function Entries({ entryOf }: { entryOf: (client: ClientEntry) => string | undefined }) {
  return (
    <div class="cards">
      {Object.values<ClientEntry>(CLIENTS).map((client) => {
        const entry = entryOf(client);
        return (
          <article key={client.title} class="panel client" aria-label={client.title}>
            <h2>{client.title}</h2>
            {entry === undefined ? (
              <p class="hint">Its file has servers over stdio only.</p>
            ) : (
              <>
                <p class="hint">{client.configFile}</p>
                <pre class="text" tabIndex={0} aria-label={`Entry for ${client.title}`}>
                  {entry}
                </pre>
                <CopyButton label="Copy" text={() => entry} />
              </>
            )}
          </article>
        );
      })}
    </div>
  );
}
