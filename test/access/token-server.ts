import { AUDIENCE, openIssuer, type TestIssuer } from '../../packages/server/test/access/tokens/test-issuer.js';
import { startHttp } from '../support/clients.js';
import { createWorkplace, type Finished, type Workplace } from '../support/workplace.js';
import { KEYS } from './three-keys.js';

const PLUGIN = `
import { existsSync } from 'node:fs';
export const register = (api) => {
  const tool = (name, run, more = {}) =>
    api.registerTool({ name, title: 'T', description: 'd', inputSchema: { type: 'object' }, run, ...more });
  tool('look', () => 'looked', { annotations: { readOnlyHint: true } });
  tool('change', () => 'changed');
  tool('caller', (args, { caller }) => JSON.stringify({ caller, args, env: process.env }));
  tool('hold', async ({ file }, { signal }) => {
    while (!existsSync(file)) {
      signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return 'held';
  }, { inputSchema: { type: 'object', properties: { file: { type: 'string' } } } });
};`;

const SETTINGS = {
  Plugins: { Directory: 'plugins' },
  Dotnet: { Enabled: false },
  Tools: { TrustAnnotations: ['p'] },
  Profiles: { small: { Include: ['look', 'caller'] } },
  Audit: { File: 'audit.jsonl', Arguments: 'redacted' },
};

type Section = 'Auth' | 'Dotnet' | 'Http' | 'Limits' | 'Output' | 'Tasks';

/**
 * A server process with a key, named `ci`, and the issuers `corp` and `guests`.
 * @param prepare is called before the server starts
 */
export async function startTokenServer(
  finished: Finished,
  { McpServers = {}, ...more }: { [section in Section]?: object } & { McpServers?: object } = {},
  prepare: (workplace: Workplace) => void = () => {},
) {
  const [corp, guests] = await Promise.all([openIssuer(), openIssuer()]);
  finished(() => corp.close());
  finished(() => guests.close());
  const toEntry = (Name: string, { url }: TestIssuer) => ({ Name, Issuer: url, Audience: AUDIENCE });
  const Keys = [{ Name: 'ci', Key: KEYS.open, Scopes: ['mortise:read'] }];
  const Issuers = [toEntry('corp', corp), toEntry('guests', guests)];
  const Plugins = { ...SETTINGS.Plugins, McpServers };
  const settings = { ...SETTINGS, Plugins, ...more, Auth: { Keys, Issuers, ...more.Auth } };
  const workplace = createWorkplace({ 'plugins/p.mjs': PLUGIN }, settings, finished);
  prepare(workplace);
  const server = await startHttp(workplace, [], finished);
  /** Writes the settings with another `Auth`, and reloads. */
  const reload = (Auth: object) => {
    workplace.write('appsettings.json', JSON.stringify({ ...settings, Auth: { ...settings.Auth, ...Auth } }));
    server.process.kill('SIGHUP');
  };
  return { ...server, corp, guests, workplace, reload, Issuers };
}
