import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { CONSOLE, projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const reference = (path: string) => `<ProjectReference Include="${path}" />`;
const json = (version: string) => `<PackageReference Include="Newtonsoft.Json" Version="${version}" />`;
const items = (...all: string[]) => `<ItemGroup>${all.join('')}</ItemGroup>`;

const FOLDER_NAMED_ROOT = `Microsoft Visual Studio Solution File, Format Version 12.00
Project("{2150E333-8FDC-42A3-9474-1A3956D46DE8}") = "Root", "Root", "{11111111-1111-1111-1111-111111111111}"
EndProject
Global
EndGlobal
`;

const PROJECTS = ['app/App.csproj', 'lib/Lib.csproj', 'more/More.fsproj'];

describeRecorded('dotnet_solution with the real SDK', () => {
  let server: SdkServer;
  const call = (action: string, args: object = {}) => server.call('dotnet_solution', { action, ...args });
  const path = (name: string) => join(server.workplace.folder, name);

  beforeAll(async () => {
    server = await startSdkServer({
      'app/App.csproj': projectXml(CONSOLE, items(reference('../lib/Lib.csproj'), json('13.0.3'))),
      'app/Program.cs': 'Console.WriteLine();',
      'lib/Lib.csproj': projectXml('', items(json('13.0.1'))),
      'more/More.fsproj': projectXml('', items(reference('../lib/Lib.csproj'))),
      'twin/App.csproj': projectXml(),
      'twin/App2.csproj': projectXml(),
      'Root.csproj': projectXml(),
      'Folder.sln': FOLDER_NAMED_ROOT,
      'broken/Broken.csproj': projectXml('<Nullable>enable</Nullable>'),
    });
  });
  afterAll(() => server?.close());

  describe.each(['sln', 'slnx'])('.%s', (format) => {
    const solution = `All.${format}`;
    const lockInfo = () => ({ lockScope: 'solution', lockKey: path(solution) });

    it('is created once', async () => {
      const created = await call('Create', { name: 'All', format });
      expect(created.data).toEqual({
        success: true,
        summary: `Created ${path(solution)}`,
        solution: path(solution),
        projects: [],
        lockInfo: lockInfo(),
      });
      expect(created.text).toBe(`Created ${path(solution)}\nExit Code: 0`);
      const again = await call('Create', { name: 'All', format });
      expect(again.isError).toBe(true);
      expect(again.data.errors[0].data.additionalData).toMatchObject({ parameter: 'name', reason: 'conflict' });
      expect(again.text).toContain(`${path(solution)} exists already`);
    });

    it('takes projects in, once, and lists them', async () => {
      const added = await call('Add', { solution, projects: PROJECTS });
      expect(added.data).toMatchObject({ success: true, solution, lockInfo: lockInfo() });
      expect([...added.data.projects].sort()).toEqual(PROJECTS);
      for (const project of PROJECTS) expect(added.text.split('\n')[0]).toContain(project);
      const again = await call('Add', { solution, projects: PROJECTS.slice(0, 1) });
      expect(again.data).toMatchObject({ success: true, changed: false });
      expect(again.text).toBe('The solution already contains these projects\nExit Code: 0');

      const listed = await call('List', { solution });
      expect(listed.data).toEqual({ projects: PROJECTS });
      expect(listed.text).toBe(`Project(s)\n----------\n${PROJECTS.join('\n')}\nExit Code: 0`);
    });

    it('says which projects it has, how they depend on each other, and what is doubtful', async () => {
      const analysis = await call('Analyze', { solution });
      expect(analysis.data).toMatchObject({ success: true, solution: path(solution), isValid: true, packageCount: 2 });
      const projects = new Map(analysis.data.projects.map((project: { name: string }) => [project.name, project]));
      expect(projects.get('App')).toMatchObject({
        path: path('app/App.csproj'),
        outputType: 'Exe',
        targetFrameworks: ['net10.0'],
        packageCount: 1,
        projectReferenceCount: 1,
      });
      expect([...projects.keys()].sort()).toEqual(['App', 'Lib', 'More']);
      expect(analysis.text).toContain('Projects: 3 (');

      const { data, text } = await call('Dependencies', { solution });
      expect(data.references).toEqual(
        expect.arrayContaining([
          { from: 'App', to: 'Lib' },
          { from: 'More', to: 'Lib' },
        ]),
      );
      expect(data.sharedPackages).toMatchObject([{ name: 'Newtonsoft.Json', versions: [{}, {}] }]);
      expect(text).toContain('  App -> Lib\n');

      const validation = await call('Validate', { solution });
      expect(validation.data.issues).toContainEqual(
        expect.objectContaining({
          severity: 'warning',
          message: expect.stringContaining('Newtonsoft.Json is used in 2'),
        }),
      );
      expect(validation.text).toMatch(/\nWarnings:\n {2}App, Lib|\nWarnings:\n {2}Lib, App/);
    });

    it('finds a broken project among the others', async () => {
      server.workplace.write('broken/Broken.csproj', projectXml('<Nullable>enable</Nullable>'));
      expect((await call('Add', { solution, projects: ['broken/Broken.csproj'] })).isError).toBe(false);
      server.workplace.write('broken/Broken.csproj', '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup></Project>');
      const { data, text } = await call('Validate', { solution });
      expect(data.isValid).toBe(false);
      expect(data.projects).toHaveLength(3);
      expect(data.issues[0]).toMatchObject({ severity: 'error', projects: ['Broken'], code: 'MSB4025' });
      expect(text).toContain('\nErrors:\n  Broken: MSB4025: ');
      expect((await call('Remove', { solution, projects: ['broken/Broken.csproj'] })).isError).toBe(false);
    });

    it('refuses a project that cannot be loaded, though the CLI ends with 0', async () => {
      const { isError, data, text } = await call('Add', { solution, projects: ['broken/Broken.csproj'] });
      expect(isError).toBe(true);
      expect(data).toMatchObject({ success: false, projects: expect.any(Array), lockInfo: lockInfo() });
      expect(data.projects).toHaveLength(3);
      expect(text).toMatch(/^Error: Invalid project `.*Broken\.csproj`/);
    });

    it('refuses a project that is not there', async () => {
      const { data, text } = await call('Add', { solution, projects: ['nope/Nope.csproj'] });
      expect(data.errors[0]).toMatchObject({ code: 'MSB1009', rootCauseKind: 'ProjectNotFound' });
      expect(text).toContain('nope/Nope.csproj');
    });

    it('lets a project go, once', async () => {
      const removed = await call('Remove', { solution, projects: ['more/More.fsproj'] });
      expect(removed.data).toMatchObject({
        success: true,
        summary: expect.stringMatching(/^Removed from All\.slnx?: more\/More\.fsproj$/),
        lockInfo: lockInfo(),
      });
      expect(removed.data.projects).not.toContain('more/More.fsproj');
      const again = await call('Remove', { solution, projects: ['more/More.fsproj'] });
      expect(again.data).toMatchObject({ success: true, changed: false });
      expect(again.text).toBe('The solution does not contain these projects\nExit Code: 0');
    });
  });

  it('overwrites a .slnx with force only, and names the .sln that remains', async () => {
    const refused = await call('Migrate', { solution: 'All.sln' });
    expect(refused.data.errors[0].data.additionalData).toMatchObject({
      parameter: 'force',
      reason: 'required for safety',
    });
    const migrated = await call('Migrate', { solution: 'All.sln', force: true });
    expect(migrated.data).toMatchObject({ success: true, solution: path('All.slnx'), leftOver: path('All.sln') });
    expect(migrated.text).toMatch(/All\.sln remains: .*MSB1011/);
    rmSync(path('All.slnx'));
    expect((await call('Migrate', { solution: 'All.sln' })).isError).toBe(false);
    expect(existsSync(path('All.slnx'))).toBe(true);
  });

  it('says that a solution is not there, or is empty', async () => {
    for (const action of ['List', 'Analyze', 'Dependencies', 'Validate'])
      expect((await call(action, { solution: 'Nope.sln' })).text).toMatch(/^Error: .*Nope\.sln/);
    await call('Create', { name: 'Empty', output: 'empty', format: 'slnx' });
    expect((await call('List', { solution: 'empty/Empty.slnx' })).data).toEqual({ projects: [] });
    expect((await call('Analyze', { solution: 'empty/Empty.slnx' })).text).toContain('has no projects');
  });

  it('takes in what would break a .sln without its folder, or not at all', async () => {
    await call('Create', { name: 'Twins', format: 'sln' });
    const solution = 'Twins.sln';
    const added = await call('Add', { solution, projects: ['twin/App.csproj', 'twin/App2.csproj'] });
    expect(added.data).toMatchObject({ success: true, projects: ['twin/App.csproj', 'twin/App2.csproj'] });
    expect((await call('Validate', { solution })).data).toMatchObject({ isValid: true });

    const refused = await call('Add', { solution: 'Folder.sln', projects: ['Root.csproj'] });
    expect(refused.data.errors).toMatchObject([{ code: 'MSB5004', hint: expect.stringContaining('Rename') }]);
    expect(refused.text).toContain('two projects named "Root". Nothing was added to Folder.sln.');
    expect(readFileSync(path('Folder.sln'), 'utf8')).toBe(FOLDER_NAMED_ROOT);
  });
});
