import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { hasSdk } from '../../packages/dotnet/test/sdk.js';
import { stop, VERSIONS } from '../support/clients.js';
import { ROOT } from '../support/workplace.js';
import type { ClientUnderTest, ConnectedClient, Target } from './client.js';

let built: string | undefined;

/** Builds `test/clients/csharp` once. @throws Error with what the build printed */
function program(): string {
  if (built !== undefined) return built;
  const folder = mkdtempSync(join(tmpdir(), 'mortise-csharp-client-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(ROOT, 'test/clients/csharp'), folder, { recursive: true });
  const args = [
    'build',
    join(folder, 'Client.csproj'),
    '--nologo',
    '--verbosity',
    'quiet',
    '--output',
    join(folder, 'out'),
  ];
  const { status, stdout, stderr } = spawnSync('dotnet', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`dotnet ${args.join(' ')}\n${stdout}${stderr}`);
  built = join(folder, 'out/Client.dll');
  return built;
}

const SUBSCRIBE = 'it sends resources/subscribe, which 2026-07-28 does not have';
const LISTEN = 'it has no method for subscriptions/listen, without which a client of 2026-07-28 is told of no change';

/** The C# client, NuGet `ModelContextProtocol` 2.0: a program that takes the names of features and answers with JSON. */
export const CSHARP: ClientUnderTest[] = VERSIONS.map((version) => ({
  name: 'C# client (ModelContextProtocol 2.0)',
  version,
  missing: hasSdk ? undefined : 'there is no .NET SDK',
  cannot: version === '2026-07-28' ? { subscription: SUBSCRIBE, 'list change': LISTEN } : {},
  async connect(target, finished): Promise<ConnectedClient> {
    const child = spawn('dotnet', [program(), version, target.transport, ...argumentsOf(target)], {
      ...(target.transport === 'stdio' && { cwd: target.workplace.folder }),
      env: { ...process.env, ...(target.transport === 'stdio' && serverSettings(target)) },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    finished(() => stop(child));
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk;
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error(`The client ended:\n${errors}`);
      return JSON.parse(value);
    };
    return {
      version: await next(),
      async use(feature) {
        child.stdin.write(`${feature}\n`);
        const { value, error } = await next();
        if (error !== undefined) throw new Error(error);
        return value;
      },
    };
  },
}));

function argumentsOf(target: Target): string[] {
  return target.transport === 'http' ? [target.url] : [target.command, ...target.args];
}

/** The server gets the environment of the client; the home stays the SDK's. */
function serverSettings({ workplace: { env } }: Extract<Target, { transport: 'stdio' }>): Record<string, string> {
  return { Plugins__StartWaitMs: env.Plugins__StartWaitMs!, XDG_CACHE_HOME: env.HOME!, XDG_STATE_HOME: env.HOME! };
}
