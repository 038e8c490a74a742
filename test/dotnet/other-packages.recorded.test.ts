import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { addToFeed, LOCAL_SOURCE } from './local-feed.js';
import { projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const items = (references: Record<string, string>) =>
  `<ItemGroup>${Object.entries(references)
    .map(([id, version]) => `<PackageReference Include="${id}" Version="${version}" />`)
    .join('')}</ItemGroup>`;

describeRecorded('a package in a project where other packages cannot be restored', () => {
  let server: SdkServer;
  const at = (path: string) => join(server.workplace.folder, path);
  const packages = (action: string, args: object) => server.call('dotnet_package', { action, ...args });
  beforeAll(async () => {
    const files = {
      'nuget.config': LOCAL_SOURCE,
      'app/app.csproj': projectXml('', items({ Plain: '1.0.0', Gone: '1.0.0' })),
      'old/old.csproj': projectXml('', items({ Plain: '7.0.0', Other: '9.0.0' })),
      'gone.slnx': '<Solution><Project Path="app/app.csproj" /></Solution>',
    };
    server = await startSdkServer(files, {}, ({ folder }) => ({ NUGET_PACKAGES: join(folder, 'packages') }));
    addToFeed(server.workplace, [
      { id: 'Plain', version: '1.0.0' },
      { id: 'Plain', version: '2.0.0' },
      { id: 'Other', version: '1.0.0' },
    ]);
  });
  afterAll(() => server.close());

  it.each([
    ['Add', { project: 'app/app.csproj', packageId: 'Other' }, 'Other was not added'],
    ['Update', { project: 'app/app.csproj', packageId: 'Plain', version: '2.0.0' }, 'Plain was not updated'],
    ['Update', { project: 'app/app.csproj' }, 'No package was updated'],
    ['Update', { project: 'gone.slnx', packageId: 'Plain', version: '2.0.0' }, 'Plain was not updated'],
  ])('is not at fault: %s %j', async (action, args, changed) => {
    const before = readFileSync(at('app/app.csproj'), 'utf8');
    const { data, text } = await packages(action, args);
    const reason = 'NuGet restores all packages first, and other packages cannot be restored: ';
    expect(text.split('\n')[0]).toBe(`Error: ${changed}: ${reason}Gone`);
    expect(text).not.toContain('incompatible');
    const place = `${at('app/app.csproj')}, line 6`;
    expect(data.errors).toMatchObject([
      { code: 'NU1101', recommendedAction: { description: expect.stringContaining(`No source has Gone (${place})`) } },
    ]);
    expect(readFileSync(at('app/app.csproj'), 'utf8')).toBe(before);
  });

  it('is updated with the others in the call that is named, because each alone fails', async () => {
    const args = { project: 'old/old.csproj', packageId: 'Plain', version: '2.0.0' };
    const { data } = await packages('Update', args);
    const { recommendedAction: next } = data.errors[0];
    expect(next.arguments).toEqual({
      action: 'Update',
      project: 'old/old.csproj',
      packageIds: ['Plain@2.0.0', 'Other@1.0.0'],
    });
    const done = await server.call(next.toolName, next.arguments);
    expect(done.data, done.text).toMatchObject({ summary: 'Updated 2 packages' });
  });

  it('is at fault where the error names it', async () => {
    const { text } = await packages('Add', { project: 'app/app.csproj', packageId: 'Other', version: '9.0.0' });
    expect(text).not.toContain('other packages');
  });
});
