import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const OUTDATED = '{ "version": 1, "dependencies": { "net10.0": {} } }';

describeRecorded('Restore with lockedMode', () => {
  let server: SdkServer;
  beforeAll(async () => {
    server = await startSdkServer({
      'p/p.csproj': projectXml(
        '<RestorePackagesWithLockFile>true</RestorePackagesWithLockFile><RestoreForceEvaluate>true</RestoreForceEvaluate>',
        '<ItemGroup><PackageReference Include="Newtonsoft.Json" Version="13.0.3" /></ItemGroup>',
      ),
      'p/packages.lock.json': OUTDATED,
    });
  });
  afterAll(() => server.close());

  it('says that a project overruled it, and which lock file was rewritten', async () => {
    const { data, text } = await server.project('Restore', { project: 'p/p.csproj', lockedMode: true });
    expect(readFileSync(join(server.workplace.folder, 'p/packages.lock.json'), 'utf8')).toContain('Newtonsoft.Json');
    expect(data).toMatchObject({ success: true, note: expect.stringContaining('p/packages.lock.json was rewritten') });
    expect(text).toContain('\nlockedMode was overruled, and p/packages.lock.json was rewritten: look for RestoreForce');
  });
});
