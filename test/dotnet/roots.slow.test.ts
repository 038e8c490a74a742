import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';
import { connectSdk, type SdkConnection } from './connect-sdk.js';
import { CONSOLE, projectXml } from './sdk-server.js';

const REFUSED = 'is outside of the allowed folders';
/** A build that waits for a file next to the project. */
const SLOW = projectXml(
  CONSOLE,
  `<Target Name="Wait" BeforeTargets="Build"><Exec Command="while [ ! -f go ]; do sleep 0.05; done" /></Target>`,
);

describeWithSdk('Dotnet.Roots of a server', () => {
  let workplace: Workplace;
  let server: SdkConnection;
  const root = () => join(workplace.folder, 'root');
  const outside = () => join(workplace.folder, 'outside');
  beforeAll(async () => {
    workplace = makeWorkplace(
      {
        'root/Slow/App.csproj': SLOW,
        'root/Slow/Program.cs': 'System.Console.WriteLine();',
        'root/Slow/Code.cs': 'public class Open { }',
        'outside/Code.cs': 'public class Secret { }',
        'outside/App.csproj': projectXml(CONSOLE),
      },
      {},
    );
    server = await connectSdk(workplace, { settings: { Dotnet: { Enabled: true, Roots: [root()] } } });
  });
  afterAll(async () => {
    await server.close();
    removeWorkplace(workplace);
  });

  it('refuses to read code outside, whether or not the file exists', async () => {
    const code = (args: object) => server.call('dotnet_code', { action: 'Outline', ...args });
    for (const file of ['outside/Code.cs', 'outside/None.cs', 'root/../outside/Code.cs']) {
      const { isError, text } = await code({ file: join(workplace.folder, file) });
      expect({ isError, text }).toEqual({
        isError: true,
        text: expect.stringContaining(`Parameter 'file' ${REFUSED}`),
      });
      expect(text).not.toContain('Secret');
    }
    const own = await code({ file: join(root(), 'Slow/Code.cs') });
    expect(own.text).toContain('Open');
  });

  it('a link that is replaced while its call waits leads where it led when the call began', async () => {
    const link = join(root(), 'current');
    symlinkSync(join(root(), 'Slow'), link);
    const slow = server.call('dotnet_project', { action: 'Build', project: join(root(), 'Slow/App.csproj') });
    const sessions = async () => (await server.call('dotnet_project', { action: 'ListSessions' })).text;
    await expect.poll(sessions).toContain('Build');
    const args = { propertyName: 'Replaced', propertyValue: 'yes', waitSeconds: 60 };
    const waiting = server.call('dotnet_project', { action: 'SetProperty', project: 'current/App.csproj', ...args });
    await expect.poll(sessions).toContain('SetProperty');
    rmSync(link);
    symlinkSync(outside(), link);
    writeFileSync(join(root(), 'Slow/go'), '');
    expect((await slow).text).not.toContain(REFUSED);
    expect((await waiting).isError).toBe(false);
    expect(readFileSync(join(outside(), 'App.csproj'), 'utf8')).not.toContain('Replaced');
    expect(readFileSync(join(root(), 'Slow/App.csproj'), 'utf8')).toContain('Replaced');
  });
});
