import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { describeRecorded, namePlaceholder } from '../support/recorded-dotnet/index.js';
import { addToFeed, DEAD_SOURCE, LOCAL_SOURCE, source } from './local-feed.js';
import { CONSOLE, projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const ID = 'Mortise.Sample';
const CENTRAL = '<ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally>';

/** A feed that lets no one in. */
async function startRefusingFeed() {
  const feed = createServer((_, response) => response.writeHead(401, { 'www-authenticate': 'Basic' }).end());
  await once(feed.listen(0, '127.0.0.1'), 'listening');
  return { port: (feed.address() as AddressInfo).port, close: () => feed.close() };
}

describeRecorded('dotnet_package with the real SDK and a folder feed', () => {
  let server: SdkServer;
  let refusing: { port: number; close(): void };
  const call = (action: string, args: object = {}) => server.call('dotnet_package', { action, ...args });
  const path = (name: string) => join(server.workplace.folder, name);
  const read = (name: string) => readFileSync(path(name), 'utf8');
  const lockOf = (name: string) => ({ lockScope: 'project', lockKey: path(name) });

  beforeAll(async () => {
    const files = {
      'nuget.config': LOCAL_SOURCE,
      'app/App.csproj': projectXml(CONSOLE),
      'app/Program.cs': 'Console.WriteLine();',
      'lib/Lib.csproj': projectXml(),
      'all/all.slnx':
        '<Solution><Project Path="one/One.csproj" /><Project Path="two/Two.csproj" /><Project Path="none/None.csproj" /></Solution>',
      'all/one/One.csproj': projectXml(
        '',
        `<ItemGroup><PackageReference Include="${ID}" Version="1.0.0" /></ItemGroup>`,
      ),
      'all/two/Two.csproj': projectXml(
        '',
        `<ItemGroup><PackageReference Include="${ID}" Version="1.0.0" /></ItemGroup>`,
      ),
      'all/none/None.csproj': projectXml(),
      'cpm/all.slnx':
        '<Solution><Project Path="first/First.csproj" /><Project Path="second/Second.csproj" /></Solution>',
      'cpm/first/First.csproj': projectXml('', `<ItemGroup><PackageReference Include="${ID}" /></ItemGroup>`),
      'cpm/second/Second.csproj': projectXml('', `<ItemGroup><PackageReference Include="${ID}" /></ItemGroup>`),
      'cpm/own/Own.csproj': projectXml(
        '',
        `<ItemGroup><PackageReference Include="${ID}" VersionOverride="1.0.0" /></ItemGroup>`,
      ),
      'shut/Shut.csproj': projectXml(
        '',
        '<ItemGroup><PackageReference Include="Mortise.Of.The.Shut.Feed" Version="1.0.0" /></ItemGroup>',
      ),
      'central/Directory.Packages.props': `<Project><PropertyGroup>${CENTRAL}</PropertyGroup></Project>`,
      'central/Central.csproj': projectXml(),
    };
    refusing = await startRefusingFeed();
    namePlaceholder('refusing', `127.0.0.1:${refusing.port}`);
    server = await startSdkServer(files, {}, { NUGET_ENHANCED_MAX_NETWORK_TRY_COUNT: '1' });
    addToFeed(server.workplace, [
      { id: ID, version: '1.0.0' },
      { id: ID, version: '2.0.0' },
      { id: 'Mortise.Outer', version: '1.0.0', dependencies: { [ID]: '1.0.0' } },
    ]);
  }, 120_000);
  afterAll(async () => {
    refusing?.close();
    await server?.close();
  });

  const project = 'app/App.csproj';

  it('adds a package, lists it from files, finds a newer version, updates to it, and says why it is there', async () => {
    const added = await call('Add', { project, packageId: ID, version: '1.0.0' });
    const note = `${project}, line 7: added PackageReference ${ID} 1.0.0`;
    expect(added.text).toBe(`Added ${ID} 1.0.0\n${note}\nExit Code: 0`);
    expect(added.data).toEqual({
      success: true,
      summary: `Added ${ID} 1.0.0`,
      packageId: ID,
      version: '1.0.0',
      project,
      note,
      lockInfo: lockOf(project),
    });
    expect(read(project)).toContain(`<PackageReference Include="${ID}" Version="1.0.0" />`);

    const again = await call('Add', { project, packageId: ID, version: '1.0.0' });
    expect(again.data).toMatchObject({ success: true, changed: false, version: '1.0.0', previousVersion: '1.0.0' });
    expect(again.text).toContain('was referenced already');

    const plain = await call('List', { project });
    expect(plain.data).toEqual({
      packages: [{ name: ID, requestedVersion: '1.0.0', resolvedVersion: '1.0.0', declaredAt: [`${project}:7`] }],
    });
    expect(plain.text).toBe(
      `${path(project)} (net10.0)\n  ${ID}: requested 1.0.0, resolved 1.0.0, declared at ${project}:7\nExit Code: 0`,
    );
    expect((await call('List', { project, filter: 'SAMPLE' })).data.packages).toHaveLength(1);
    expect((await call('List', { project, filter: 'other' })).data).toEqual({ packages: [] });

    const outdated = await call('List', { project, outdated: true });
    expect(outdated.data.packages).toEqual([
      {
        name: ID,
        requestedVersion: '1.0.0',
        resolvedVersion: '1.0.0',
        latestVersion: '2.0.0',
        framework: 'net10.0',
        declaredAt: [`${project}:7`],
      },
    ]);
    expect(outdated.data).not.toHaveProperty('projects');
    expect(outdated.text).toContain(
      `\n  ${ID}: requested 1.0.0, resolved 1.0.0, latest 2.0.0, declared at ${project}:7\n`,
    );

    const updated = await call('Update', { project, packageId: ID });
    expect(updated.data).toMatchObject({ success: true, packageId: ID, version: '2.0.0', previousVersion: '1.0.0' });
    expect(updated.text).toBe(
      `Updated ${ID} from 1.0.0 to 2.0.0 (newest stable)\n${project}, line 7: 1.0.0 → 2.0.0\nExit Code: 0`,
    );

    const why = await call('Why', { project, packageId: ID });
    expect(why.data).toEqual({
      packageId: ID,
      paths: [{ project: 'App', frameworks: ['net10.0'], packages: [{ name: ID, version: '2.0.0' }] }],
    });
    expect(why.text).toBe(`${ID} 2.0.0: direct reference of App\nExit Code: 0`);
    expect((await call('Why', { project, packageId: 'Not.There' })).data).toEqual({
      packageId: 'Not.There',
      paths: [],
    });
  });

  it('lists what packages bring with them when asked for, and as many as asked for', async () => {
    const project = 'lib/Lib.csproj';
    expect((await call('List', { project })).data).toMatchObject({ packages: [], restored: false });
    expect((await call('Add', { project, packageId: 'Mortise.Outer' })).data.version).toBe('1.0.0');
    const version = { requestedVersion: '1.0.0', resolvedVersion: '1.0.0' };
    const outer = { name: 'Mortise.Outer', ...version, declaredAt: [`${project}:7`] };
    expect((await call('List', { project })).data.packages).toEqual([outer]);
    const all = await call('List', { project, includeTransitive: true });
    expect(all.data.packages).toEqual([outer, { name: ID, resolvedVersion: '1.0.0', transitive: true }]);
    expect(all.text).toContain(`  ${ID}: resolved 1.0.0, transitive\n`);
    const some = await call('List', { project, includeTransitive: true, maxResults: 1 });
    expect(some.data).toEqual({ packages: [outer] });
    const why = await call('Why', { project, packageId: ID });
    expect(why.data.paths).toMatchObject([{ project: 'Lib', packages: [{ name: 'Mortise.Outer' }, { name: ID }] }]);
    expect(why.text).toBe(`${ID} 1.0.0: by Mortise.Outer 1.0.0 of Lib\nExit Code: 0`);
  });

  it('audits without calling a source without data a clean one', async () => {
    const { data, text } = await call('Audit', { project });
    expect(data).toEqual({ packages: [], sources: [path('feed')] });
    expect(text).toContain(path('feed'));
    expect(text).not.toMatch(/\bno vulnerable\b|none/i);
  });

  it.each([
    ['cannot be reached', () => 'http://127.0.0.1:9/index.json'],
    ['answers 401', () => `http://127.0.0.1:${refusing.port}/index.json`],
  ])(
    'does not call a project clean whose feed %s',
    async (_, url) => {
      const add = `<add key="shut" value="${url()}" allowInsecureConnections="true" />`;
      server.workplace.write('shut/nuget.config', source(add));
      rmSync(path('shut/obj'), { recursive: true, force: true });
      const shut = { project: 'shut/Shut.csproj' };
      await server.project('Restore', shut);
      for (const [action, args] of [
        ['Audit', {}],
        ['List', { vulnerable: true }],
        ['List', { deprecated: true }],
        ['List', { outdated: true }],
      ] as const) {
        const { data, text, isError } = await call(action, { ...shut, ...args });
        expect({ action, isError, code: data.errors?.[0]?.code }).toEqual({ action, isError: true, code: 'NU1301' });
        expect(text).not.toMatch(/No package|0 vulnerable/);
      }
    },
    120_000,
  );

  it('names the sources that were asked', async () => {
    for (const question of [{ vulnerable: true }, { deprecated: true }]) {
      const { data, text } = await call('List', { project, ...question });
      expect(data.sources).toEqual([path('feed')]);
      expect(text).toContain(`Sources: ${path('feed')}`);
    }
  });

  it('says what a package that is not there is, and what to do', async () => {
    const absent = await call('Add', { project, packageId: 'Not.There.Mortise' });
    expect(absent.isError).toBe(true);
    expect(absent.data).toMatchObject({ success: false, errorCount: 1, lockInfo: lockOf(project) });
    expect(absent.data.errors[0]).toMatchObject({
      code: 'NU1101',
      category: 'Package',
      mcpErrorCode: -32002,
      rootCauseKind: 'PackageError',
      recommendedAction: { actionKind: 'ManualStep', description: expect.stringContaining('Not.There.Mortise') },
    });
    expect(absent.text).toMatch(/^Error: .+: 1 error\nCode: NU1101\n.*'Not\.There\.Mortise'.*\nHint: /);
    expect(absent.text).toMatch(/\nExit Code: 1$/);

    const version = await call('Add', { project, packageId: ID, version: '9.9.9' });
    expect(version.data.errors[0]).toMatchObject({ code: 'NU1102', mcpErrorCode: -32002 });
    expect(version.text).toContain('2.0.0');
    expect(read(project)).toContain('Version="2.0.0"');
  });

  it('removes a package once', async () => {
    const removed = await call('Remove', { project, packageId: ID });
    expect(removed.data).toEqual({
      success: true,
      summary: `Removed ${ID}`,
      packageId: ID,
      previousVersion: '2.0.0',
      project,
      note: `${project}, line 7: removed PackageReference ${ID} 2.0.0`,
      lockInfo: lockOf(project),
    });
    expect(read(project)).not.toContain(ID);
    const again = await call('Remove', { project, packageId: ID });
    expect(again.data).toMatchObject({ success: true, changed: false, packageId: ID });
    expect(again.text).toBe(`${project} does not reference ${ID}\nExit Code: 0`);
  });

  it('keeps the versions of central package management, and names the one that remains', async () => {
    const project = 'central/Central.csproj';
    const props = 'central/Directory.Packages.props';
    expect((await call('Add', { project, packageId: ID, version: '1.0.0' })).data).toMatchObject({ version: '1.0.0' });
    expect(read(props)).toContain(`<PackageVersion Include="${ID}" Version="1.0.0" />`);
    expect((await call('List', { project })).data.packages).toEqual([
      { name: ID, requestedVersion: '1.0.0', resolvedVersion: '1.0.0', declaredAt: [`${props}:6`] },
    ]);

    const updated = await call('Update', { project, packageId: ID, version: '2.0.0' });
    expect(updated.data).toMatchObject({ previousVersion: '1.0.0', version: '2.0.0' });
    expect(read(props)).toContain('Version="2.0.0"');

    const removed = await call('Remove', { project, packageId: ID });
    expect(removed.data).toMatchObject({ previousVersion: '2.0.0', note: expect.stringContaining(props) });
    expect(removed.text).toContain(`remains in ${props}, line `);
    expect(read(props)).toContain(ID);
  });

  describe('central versions that several projects take', () => {
    const first = 'cpm/first/First.csproj';
    const second = 'cpm/second/Second.csproj';
    const solution = 'cpm/all.slnx';
    const props = 'cpm/Directory.Packages.props';
    const both = () => [path(first), path(second)];
    const setVersion = (version: string) =>
      server.workplace.write(
        props,
        `<Project><PropertyGroup>${CENTRAL}</PropertyGroup><ItemGroup><!-- ours --><PackageVersion Include="${ID}" Version="${version}" /></ItemGroup></Project>`,
      );

    it('are raised by Update without a version, as the CLI does, and the projects are named', async () => {
      setVersion('1.0.0');
      const { data, text } = await call('Update', { project: first, packageId: ID });
      expect(data).toMatchObject({
        success: true,
        previousVersion: '1.0.0',
        version: '2.0.0',
        affectedProjects: both(),
        updates: [{ packageId: ID, previousVersion: '1.0.0', version: '2.0.0', projects: [path(first)] }],
      });
      expect(read(props)).toContain('<!-- ours -->');
      expect(read(props)).toContain('Version="2.0.0"');
      expect(text).toMatch(/\ncpm\/Directory\.Packages\.props, line \d: 1\.0\.0 → 2\.0\.0\n/);
      expect(text).toContain(`\nThe central version changed for: ${first}, ${second}\n`);
      expect((await call('Update', { project: first, packageId: ID })).data).toMatchObject({
        changed: false,
        updates: [],
      });
    });

    it('are changed in each entry where these have conditions, or the reason is told', async () => {
      const entry = (framework: string, version: string) =>
        `  <ItemGroup Condition="'$(TargetFramework)' == '${framework}'">\n    <PackageVersion Include="${ID}" Version="${version}" />\n  </ItemGroup>`;
      const conditional = (old: string, now: string) =>
        `<Project>\n  <PropertyGroup>${CENTRAL}</PropertyGroup>\n${entry('net8.0', old)}\n${entry('net10.0', now)}\n</Project>\n`;
      server.workplace.write(props, conditional('0.5.0', '1.0.0'));
      const refused = await call('Add', { project: first, packageId: ID, version: '2.0.0' });
      expect(refused.text).toContain(
        `under conditions (${props}, line 4: 0.5.0; ${props}, line 7: 1.0.0); nothing was`,
      );
      const vague = await call('Update', { project: first, packageId: ID });
      expect(vague.data.errors[0].data.additionalData).toMatchObject({ parameter: 'version', reason: 'required' });
      const failed = await call('Update', { project: first, packageId: ID, version: '9.9.9' });
      expect(failed.data.errors[0]).toMatchObject({ code: 'NU1102' });
      expect(read(props)).toBe(conditional('0.5.0', '1.0.0'));

      const updated = await call('Update', { project: first, packageId: ID, version: '2.0.0' });
      expect(updated.data, updated.text).toMatchObject({ version: '2.0.0', affectedProjects: both() });
      expect(updated.text).toMatch(
        /^Updated \S+ from 0\.5\.0, 1\.0\.0 to 2\.0\.0\n\S+, line 4: 0\.5\.0 → 2\.0\.0\n\S+, line 7: 1\.0\.0 → 2\.0\.0\nThe central version changed for: /,
      );
      expect(read(props)).toBe(conditional('2.0.0', '2.0.0'));
    });

    it('are not lowered by Add without force', async () => {
      setVersion('2.0.0');
      const refused = await call('Add', { project: first, packageId: ID, version: '1.0.0' });
      expect(refused.isError).toBe(true);
      expect(refused.data).toMatchObject({
        errors: [
          {
            code: 'INVALID_PARAMS',
            recommendedAction: { arguments: { action: 'Add', project: first, packageId: ID } },
          },
        ],
        affectedProjects: both(),
      });
      expect(refused.text).toMatch(/lower than the central version 2\.0\.0/);
      expect(refused.text).toContain('force: true');
      expect(read(props)).toContain('Version="2.0.0"');
      const { toolName, arguments: args } = refused.data.errors[0].recommendedAction;
      expect((await server.call(toolName, args)).isError).toBe(false);
      const forced = await call('Add', { project: first, packageId: ID, version: '1.0.0', force: true });
      expect(forced.data).toMatchObject({ version: '1.0.0', affectedProjects: both() });
      expect(read(props)).toContain('Version="1.0.0"');
    });

    it('are updated for a solution, with all packages, and only shown by dryRun', async () => {
      setVersion('1.0.0');
      const updates = [{ packageId: ID, previousVersion: '1.0.0', version: '2.0.0', projects: expect.any(Array) }];
      const dry = await call('Update', { project: solution, dryRun: true });
      expect(dry.data).toMatchObject({ success: true, changed: false, updates });
      expect(dry.data.updates[0].projects.toSorted()).toEqual(both());
      expect(dry.text).toContain(`Would update ${ID} from 1.0.0 to 2.0.0`);
      expect(read(props)).toContain('Version="1.0.0"');
      const done = await call('Update', { workingDirectory: path('cpm') });
      expect(done.data).toMatchObject({ updates, affectedProjects: both() });
      expect(read(props)).toContain('Version="2.0.0"');
      const lowered = await call('Update', { project: solution, packageId: ID, version: '1.0.0' });
      expect(lowered.data).toMatchObject({ previousVersion: '2.0.0', version: '1.0.0', affectedProjects: both() });
      expect((await call('Update', { version: '1.0.0' })).data.errors[0].code).toBe('INVALID_PARAMS');
    });
  });

  it('updates several packages in one command, each to its version or the newest', async () => {
    const pair = 'pair/Pair.csproj';
    const references = [ID, 'Mortise.Outer'].map((id) => `<PackageReference Include="${id}" Version="1.0.0" />`);
    server.workplace.write(pair, projectXml('', `<ItemGroup>${references.join('')}</ItemGroup>`));
    const updates = [{ packageId: ID, previousVersion: '1.0.0', version: '2.0.0', projects: [path(pair)] }];
    const dry = await call('Update', { project: pair, packageIds: [ID, 'Mortise.Outer'], dryRun: true });
    expect(dry.data).toMatchObject({ changed: false, updates });
    const done = await call('Update', { project: pair, packageIds: [`${ID}@2.0.0`, 'Mortise.Outer'] });
    expect(done.data).toMatchObject({ success: true, updates });
    expect(read(pair)).toContain(`Include="${ID}" Version="2.0.0"`);
    const both = await call('Update', { project: pair, packageId: ID, packageIds: [ID] });
    expect(both.data.errors[0]).toMatchObject({ code: 'INVALID_PARAMS' });
  });

  it('adds, lists and removes a reference; the same again changes nothing', async () => {
    const referencePath = 'lib/Lib.csproj';
    const added = await call('AddReference', { project, referencePath });
    expect(added.data).toMatchObject({ success: true, project, referencePath, lockInfo: lockOf(project) });
    expect(added.data.changed).toBeUndefined();
    expect((await call('AddReference', { project, referencePath })).data.changed).toBe(false);
    expect((await call('ListReferences', { project })).data).toEqual({ references: ['../lib/Lib.csproj'] });
    expect((await call('RemoveReference', { project, referencePath })).data.changed).toBeUndefined();
    expect((await call('RemoveReference', { project, referencePath })).data.changed).toBe(false);
    expect((await call('ListReferences', { project })).data).toEqual({ references: [] });
  });

  it('searches the feed', async () => {
    const found = await call('Search', { searchTerm: 'sample' });
    expect(found.data).toEqual({ packages: [{ id: ID, version: '2.0.0' }] });
    expect(found.text).toBe(`${ID} | 2.0.0\nExit Code: 0`);
    expect(found.links).toEqual([]);
    const exact = await call('Search', { searchTerm: ID, exactMatch: true });
    expect(exact.data.packages.map(({ version }: { version: string }) => version)).toEqual(['1.0.0', '2.0.0']);
    const nothing = await call('Search', { searchTerm: 'nothing-like-it' });
    expect(nothing.data).toEqual({ packages: [] });
    expect(nothing.text).toContain("No package matches 'nothing-like-it'");
  });

  it('offers the exact id where no source has a search service', async () => {
    const feed = createServer((_, response) => response.end('{"version":"3.0.0","resources":[]}'));
    onTestFinished(() => void feed.close());
    await once(feed.listen(0, '127.0.0.1'), 'listening');
    const host = `127.0.0.1:${(feed.address() as AddressInfo).port}`;
    namePlaceholder('bare', host);
    const url = `http://${host}/v3/index.json`;
    const add = `<add key="bare" value="${url}" allowInsecureConnections="true" />`;
    server.workplace.write('bare/nuget.config', source(add));
    const { data, text } = await call('Search', { searchTerm: 'Some.Package', workingDirectory: path('bare') });
    expect(data).toMatchObject({
      errors: [
        {
          ...{ code: 'NUGET_NO_SEARCH', category: 'Package', hint: expect.stringContaining('exact id') },
          recommendedAction: {
            toolName: 'dotnet_package',
            arguments: { action: 'Search', searchTerm: 'Some.Package', exactMatch: true },
          },
          data: { command: 'dotnet package search Some.Package', exitCode: -1 },
        },
      ],
      exitCode: -1,
    });
    expect(text).toMatch(/^Error: No source could be searched: bare: .+\nCode: NUGET_NO_SEARCH\n/);
  });

  it('answers for the sources that could be searched, and fails where none could', async () => {
    server.workplace.write('two/nuget.config', source(`<add key="local" value="${path('feed')}" />`, DEAD_SOURCE));
    const some = await call('Search', { searchTerm: 'nothing-like-it', workingDirectory: path('two') });
    expect(some.isError).toBe(false);
    expect(some.data).toMatchObject({ packages: [], problems: [expect.stringMatching(/^dead: /)] });
    expect(some.text).toContain('Warning: dead: ');

    server.workplace.write('dead/nuget.config', source(DEAD_SOURCE));
    const none = await call('Search', { searchTerm: 'sample', workingDirectory: path('dead') });
    expect(none.isError).toBe(true);
    expect(none.data.errors[0]).toMatchObject({ code: 'NU1301', category: 'Package' });
    expect(none.text).toContain('No source could be searched: dead: ');
  });

  describe('Remove of a solution', () => {
    it('removes the package from each project that references it', async () => {
      const removed = await call('Remove', { project: 'all/all.slnx', packageId: ID });
      expect(removed.data).toMatchObject({
        success: true,
        summary: `Removed ${ID} from all/one/One.csproj, all/two/Two.csproj`,
        affectedProjects: [path('all/one/One.csproj'), path('all/two/Two.csproj')],
      });
      for (const file of ['all/one/One.csproj', 'all/two/Two.csproj']) expect(read(file)).not.toContain(ID);
    });

    it('says so when none does', async () => {
      const removed = await call('Remove', { project: 'all/all.slnx', packageId: 'Not.There' });
      expect(removed.data).toMatchObject({ success: true, changed: false });
      expect(removed.text).toContain('No project of all/all.slnx references Not.There');
    });
  });
});
