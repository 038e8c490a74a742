import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { addToFeed, LOCAL_SOURCE } from './local-feed.js';
import { projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const ID = 'Mortise.Sample';
const CENTRAL = `<Project>
  <PropertyGroup>
    <ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally>
  </PropertyGroup>
  <ItemGroup>
    <PackageVersion Include="${ID}" Version="1.0.0" />
  </ItemGroup>
</Project>
`;
const REFERENCE = `<ItemGroup>\n    <PackageReference Include="${ID}" />\n  </ItemGroup>`;
const SLN = `Microsoft Visual Studio Solution File, Format Version 12.00
# Visual Studio Version 17
Global
EndGlobal
`;

/** As the editor of a team that works on Windows leaves a file. */
const windows = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`;

describeRecorded('an action that edits files', () => {
  let server: SdkServer;
  const packages = (action: string, args: object) => server.call('dotnet_package', { action, ...args });
  const solution = (action: string, args: object) => server.call('dotnet_solution', { action, ...args });
  const read = (name: string) => readFileSync(join(server.workplace.folder, name), 'utf8');

  beforeAll(async () => {
    const files = {
      'nuget.config': LOCAL_SOURCE,
      'Directory.Packages.props': CENTRAL,
      'App/App.csproj': projectXml('', REFERENCE),
      'Lib/Lib.csproj': projectXml('', REFERENCE),
      'Core/Core.csproj': projectXml(),
      'S.slnx': '<Solution>\n  <Project Path="App/App.csproj" />\n</Solution>\n',
      'T.sln': SLN,
      'sources/nuget.config': LOCAL_SOURCE.replaceAll('><', '>\n<').concat('\n'),
    };
    const all = Object.entries(files).map(([name, text]) => [name, windows(text)] as const);
    server = await startSdkServer(Object.fromEntries(all));
    addToFeed(server.workplace, [
      { id: ID, version: '1.0.0' },
      { id: ID, version: '2.0.0' },
      { id: 'Mortise.Other', version: '1.0.0' },
      { id: 'Mortise.Other', version: '2.0.0-beta' },
    ]);
  });
  afterAll(() => server.close());

  it('says which file and line it changed, and how, and which version it chose', async () => {
    const updated = await packages('Update', { project: 'App/App.csproj', packageId: ID });
    expect(updated.text).toBe(
      `Updated ${ID} from 1.0.0 to 2.0.0 (newest stable) in Directory.Packages.props
Directory.Packages.props, line 6: 1.0.0 → 2.0.0
The central version changed for: App/App.csproj, Lib/Lib.csproj
Exit Code: 0`,
    );
    expect(updated.data.note.split('\n')).toEqual(updated.text.split('\n').slice(1, -1));
    const added = await packages('Add', { project: 'Core/Core.csproj', packageId: 'Mortise.Other' });
    expect(added.text).toMatch(/^Added Mortise\.Other 1\.0\.0 \(newest stable\)\n/);
    expect(added.text).toMatch(/\nCore\/Core\.csproj, line \d+: added PackageReference Mortise\.Other\n/);
    expect(added.text).toMatch(/\nDirectory\.Packages\.props, line \d+: added PackageVersion Mortise\.Other 1\.0\.0\n/);
    const central = await packages('Add', { project: 'Core/Core.csproj', packageId: ID });
    expect(central.text).toMatch(/^Added Mortise\.Sample 2\.0\.0 \(central version\)\n/);
    const removed = await packages('Remove', { project: 'Core/Core.csproj', packageId: 'Mortise.Other' });
    expect(removed.text).toMatch(/\nCore\/Core\.csproj, line \d+: removed PackageReference Mortise\.Other\n/);
    expect(removed.text).toMatch(/\nIts PackageVersion remains in Directory\.Packages\.props, line \d+\n/);
    const several = await packages('Update', { project: 'Core/Core.csproj', packageIds: [`${ID}@1.0.0`] });
    expect(several.text).toMatch(/^Updated Mortise\.Sample from 2\.0\.0 to 1\.0\.0 in Directory\.Packages\.props\n/);

    const reference = { project: 'App/App.csproj', referencePath: 'Lib/Lib.csproj' };
    const referenced = await packages('AddReference', reference);
    expect(referenced.text).toMatch(/\nApp\/App\.csproj, line \d+: added ProjectReference \.\.\/Lib\/Lib\.csproj\n/);
    expect((await packages('AddReference', reference)).data).not.toHaveProperty('note');
    const dropped = await packages('RemoveReference', { ...reference, project: 'App/App.csproj' });
    expect(dropped.text).toMatch(/\nApp\/App\.csproj, line \d+: removed ProjectReference \.\.\/Lib\/Lib\.csproj\n/);

    for (const name of ['S.slnx', 'T.sln']) {
      const member = await solution('Add', { solution: name, projects: ['Lib/Lib.csproj'] });
      expect(member.text).toMatch(
        new RegExp(
          `^Added to ${name}: Lib/Lib\\.csproj\n${name}, line \\d: added Project Lib/Lib\\.csproj\nExit Code: 0$`,
        ),
      );
    }
    const gone = await solution('Remove', { solution: 'S.slnx', projects: ['Lib/Lib.csproj'] });
    expect(gone.text).toMatch(
      /^Removed from S\.slnx: Lib\/Lib\.csproj\nS\.slnx, line 3: removed Project Lib\/Lib\.csproj\n/,
    );

    const configFile = 'sources/nuget.config';
    const source = await packages('AddSource', { source: 'https://127.0.0.1:9/index.json', name: 'dead', configFile });
    expect(source.text).toMatch(/^Added the package source dead in sources\/nuget\.config, line \d\n/);

    const secrets = await server.call('dotnet_dev_certs', { action: 'SecretsInit', project: 'Core/Core.csproj' });
    expect(secrets.text).toMatch(/\nCore\/Core\.csproj, line \d: added <UserSecretsId>[^<]+<\/UserSecretsId>\n/);
  });

  it('leaves byte-order marks, line ends and the last line end as they were', () => {
    const names = [
      'Directory.Packages.props',
      'App/App.csproj',
      'Core/Core.csproj',
      'S.slnx',
      'T.sln',
      'sources/nuget.config',
    ];
    for (const name of names) {
      const text = read(name);
      expect(text.replace(/^\uFEFF/, '').replaceAll('\r\n', ''), name).not.toMatch(/[\r\n]/);
      expect([text.startsWith('\uFEFF'), text.endsWith('>\r\n') || text.endsWith('EndGlobal\r\n')], name).toEqual([
        true,
        true,
      ]);
    }
  });

  it('New leads to the solution that the project belongs to, and then to its build', async () => {
    const made = await server.project('New', { template: 'classlib', name: 'Fresh', output: 'src/Fresh' });
    const add = {
      action: 'Add',
      solution: 'only/Only.slnx',
      projects: ['only/Fresh/Fresh.csproj'],
    };
    expect(made.data.recommendedAction).toMatchObject({
      toolName: 'dotnet_project',
      arguments: { action: 'Build', project: 'src/Fresh/Fresh.csproj' },
    });
    server.workplace.write('only/Only.slnx', '<Solution />\n');
    const inside = await server.project('New', { template: 'classlib', name: 'Fresh', output: 'only/Fresh' });
    const { recommendedAction } = inside.data;
    expect(recommendedAction).toMatchObject({ toolName: 'dotnet_solution', arguments: add });
    expect(inside.text).toContain(`Next: dotnet_solution ${JSON.stringify(add)}`);
    const added = await server.call(recommendedAction.toolName, recommendedAction.arguments);
    expect(added.text).toMatch(/^Added to only\/Only\.slnx: Fresh\/Fresh\.csproj\n/);
    const item = await server.project('New', { template: 'gitignore', output: 'only' });
    expect(item.data).not.toHaveProperty('recommendedAction');
  });

  it('SetProperty and RemoveProperty name file, line and value, and what applies after a removal', async () => {
    server.workplace.write(
      'own/Directory.Build.props',
      '<Project>\n  <PropertyGroup>\n    <Company>From above</Company>\n  </PropertyGroup>\n</Project>\n',
    );
    server.workplace.write('own/own.csproj', projectXml());
    const project = 'own/own.csproj';
    const set = (propertyValue: string) =>
      server.project('SetProperty', { project, propertyName: 'Company', propertyValue });
    expect((await set('One')).text).toMatch(/^Set in own\/own\.csproj, line 4: Company = One\n/);
    expect((await set('Two')).text).toMatch(/^Set in own\/own\.csproj, line 4: Company = Two \(was One\)\n/);
    const removed = await server.project('RemoveProperty', { project, propertyName: 'Company' });
    expect(removed.text).toBe(
      `Company was removed from own/own.csproj, line 4 (was Two)
Now Company = From above (own/Directory.Build.props, line 3)
Exit Code: 0`,
    );
    const absent = await server.project('RemoveProperty', { project, propertyName: 'Company' });
    expect(absent.text).toContain('Company was not set in own/own.csproj\n');
    expect(absent.text).toContain('Company = From above (own/Directory.Build.props, line 3)');
    const item = { project, itemType: 'Content', include: 'a.txt' };
    expect((await server.project('AddItem', item)).text).toMatch(
      /^Content a\.txt was added to own\/own\.csproj, line \d\n/,
    );
    expect((await server.project('RemoveItem', item)).text).toMatch(
      /^Content a\.txt was removed from own\/own\.csproj, line \d\n/,
    );
  });
});
