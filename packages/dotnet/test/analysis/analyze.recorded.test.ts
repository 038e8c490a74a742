import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeRecorded } from '../../../../test/support/recorded-dotnet/index.js';
import { ANALYSIS_QUERY, analyzeProject, dependenciesOf } from '../../src/analysis/analyze.js';
import { loadProject, type ProjectSource } from '../../src/analysis/load-project.js';
import { listItems } from '../../src/analysis/query-project.js';
import { VALIDATION_QUERY, validateProject } from '../../src/analysis/validate.js';
import { type EvaluationError, type EvaluationQuery, evaluateProject } from '../../src/msbuild/evaluate.js';
import { assetsPath, readAssets } from '../../src/nuget/assets.js';
import { packagesOf, parsePackageList } from '../../src/nuget/packages.js';
import { addItem, setProperty } from '../../src/project-files/edit-project.js';
import { readTextFile, writeTextFile } from '../../src/project-files/text-file.js';
import { parseXml } from '../../src/xml/parse-xml.js';
import { evaluationHost, folderWith, getProperty, runDotnet } from '../msbuild/evaluations.js';

const source: ProjectSource = {
  evaluate: (project, query) => evaluateProject(evaluationHost, project, query),
  readAssets,
};
const EVERYTHING: EvaluationQuery = {
  properties: [...ANALYSIS_QUERY.properties, ...VALIDATION_QUERY.properties],
  itemTypes: ANALYSIS_QUERY.itemTypes,
};

/** Two frameworks, central versions, conditions, a property from above: what a plain reading of the file misses. */
const REPOSITORY = {
  'Directory.Build.props':
    '<Project><PropertyGroup><Nullable>enable</Nullable><Company>Contoso</Company></PropertyGroup></Project>',
  'Directory.Packages.props': `<Project>
  <PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally></PropertyGroup>
  <ItemGroup>
    <PackageVersion Include="newtonsoft.json" Version="13.0.1" />
    <PackageVersion Include="Dapper" Version="2.1.66" />
  </ItemGroup>
</Project>`,
  'App/App.csproj': `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks>
    <PublishTrimmed>false</PublishTrimmed>
    <Empty></Empty>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Newtonsoft.Json" PrivateAssets="all" />
    <ProjectReference Include="..\\Lib\\Lib.csproj" />
    <Content Include="*.txt" Link="x" />
  </ItemGroup>
  <ItemGroup Condition="'$(TargetFramework)' == 'netstandard2.0'">
    <PackageReference Include="Dapper" VersionOverride="2.1.66" />
    <PackageReference Include="Nowhere" />
  </ItemGroup>
</Project>`,
  'App/a.txt': '',
  'Lib/Lib.csproj':
    '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>netstandard2.0</TargetFramework></PropertyGroup></Project>',
};

describeRecorded('a project with two frameworks and central versions', () => {
  it('is analyzed as MSBuild evaluates it', async () => {
    const folder = await folderWith(REPOSITORY);
    const project = join(folder, 'App/App.csproj');
    const loaded = await loadProject(source, project, EVERYTHING);

    const analysis = analyzeProject(loaded);
    expect(analysis).toMatchObject({
      success: true,
      projectPath: project,
      projectName: 'App',
      sdk: 'Microsoft.NET.Sdk',
      targetFrameworks: ['net10.0', 'netstandard2.0'],
      outputType: 'Library',
      packageReferences: [
        { name: 'Newtonsoft.Json', version: '13.0.1', privateAssets: 'all' },
        { name: 'NETStandard.Library', isImplicit: true, frameworks: ['netstandard2.0'] },
        { name: 'Dapper', version: '2.1.66', frameworks: ['netstandard2.0'] },
        { name: 'Nowhere', frameworks: ['netstandard2.0'] },
      ],
      projectReferences: [{ name: 'Lib', path: join(folder, 'Lib/Lib.csproj') }],
      buildProperties: { publishTrimmed: false, configuration: 'Debug', platform: 'AnyCPU', warningLevel: 10 },
      nullable: 'enable',
      restored: false,
    });
    expect(analysis.packageReferences[3]).not.toHaveProperty('version');
    expect(analysis.buildProperties).not.toHaveProperty('publishAot');

    expect(dependenciesOf(loaded)).toMatchObject({
      totalDirectDependencies: 5,
      directPackageDependencies: analysis.packageReferences,
      directProjectDependencies: analysis.projectReferences,
      notes: [
        expect.any(String),
        expect.stringContaining('Directory.Packages.props'),
        expect.stringContaining('Restore'),
      ],
    });
    expect(validateProject(loaded)).toMatchObject({
      isValid: false,
      errors: [expect.stringContaining('Nowhere')],
      warnings: [],
    });
  });

  it('answers for properties and items', async () => {
    const folder = await folderWith(REPOSITORY);
    const project = join(folder, 'App/App.csproj');
    expect(await getProperty(source, project, 'company')).toMatchObject({ propertyValue: 'Contoso', isSet: true });
    expect(await getProperty(source, project, 'TargetFramework')).toMatchObject({
      propertyValue: '',
      isSet: true,
      valuesByFramework: { 'net10.0': 'net10.0', 'netstandard2.0': 'netstandard2.0' },
    });
    const all = await listItems(source, project);
    expect(all).toMatchObject({ itemType: '(all)', count: all.items.length });
    expect(all.items).toEqual(
      expect.arrayContaining([
        { itemType: 'Content', include: 'a.txt', metadata: expect.objectContaining({ Link: 'x' }) },
        { itemType: 'PackageVersion', include: 'Dapper', metadata: { Version: '2.1.66' } },
      ]),
    );
    expect(all.items.some(({ itemType }) => itemType === 'Compile')).toBe(false);
    await expect(getProperty(source, project, 'A,B')).rejects.toMatchObject({ reason: 'invalid value' });
    await expect(listItems(source, project, 'A;B')).rejects.toMatchObject({ reason: 'invalid value' });
  });
});

const ONE = `<Project Sdk="Microsoft.NET.Sdk">

  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework>
    <Empty></Empty>
  </PropertyGroup>

</Project>
`;

describeRecorded('a project with one framework', () => {
  it('is restored as long as it asks for what was restored, and lists its packages without a process', async () => {
    const folder = await folderWith({ 'One.csproj': ONE });
    const project = join(folder, 'One.csproj');
    const file = await readTextFile(project);
    await writeTextFile(file, addItem(file.text, 'PackageReference', 'xunit', { Version: '2.9.3' }).text);
    expect((await loadProject(source, project, EVERYTHING)).restored).toBe(false);
    expect((await runDotnet(['restore', project], folder)).exitCode).toBe(0);

    const { evaluation, restored } = await loadProject(source, project, EVERYTHING);
    expect(restored).toBe(true);
    const assets = await readAssets(assetsPath(evaluation));
    const listed = await runDotnet(
      ['list', project, 'package', '--format', 'json', '--no-restore', '--include-transitive'],
      folder,
    );
    const { packages, needsRestore } = parsePackageList(listed.stdout)!;
    expect(needsRestore).toBe(false);
    expect(packagesOf(evaluation, assets!)).toEqual(packages.map(({ project: _, ...rest }) => rest));

    const restoredFile = await readTextFile(project);
    await writeTextFile(restoredFile, restoredFile.text.replace('2.9.3', '2.9.2'));
    expect((await loadProject(source, project, EVERYTHING)).restored).toBe(false);
  });

  it('says whether a property is set', async () => {
    const folder = await folderWith({ 'One.csproj': setProperty(ONE, 'Quoted', '<a & "b">;c').text });
    const project = join(folder, 'One.csproj');
    expect(await getProperty(source, project, 'Quoted')).toMatchObject({ propertyValue: '<a & "b">;c', isSet: true });
    expect(await getProperty(source, project, 'Empty')).toMatchObject({ propertyValue: '', isSet: true });
    expect(await getProperty(source, project, 'Nothing')).toMatchObject({ propertyValue: '', isSet: false });
  });
});

describeRecorded('a broken project', () => {
  it.each([
    ['an import that is not there', '<Import Project="gone.props" />', 'MSB4019'],
    ['an SDK that is not there', '<Sdk Name="Gone.Sdk" />', 'MSB4236'],
    ['broken XML', '<PropertyGroup>', 'MSB4025'],
  ])('is given back as the run that failed: %s', async (_, content, code) => {
    const folder = await folderWith({ 'Bad.csproj': `<Project Sdk="Microsoft.NET.Sdk">${content}</Project>` });
    const error: EvaluationError = await loadProject(source, join(folder, 'Bad.csproj'), EVERYTHING).then(
      () => expect.fail('It was evaluated'),
      (reason) => reason,
    );
    expect(error).toMatchObject({ name: 'EvaluationError', project: join(folder, 'Bad.csproj') });
    expect(error.run).toMatchObject({ stderr: expect.stringContaining(code) });
  });

  it('is not asked for where there is no file', async () => {
    const folder = await folderWith({});
    await expect(loadProject(source, join(folder, 'No.csproj'), EVERYTHING)).rejects.toMatchObject({
      reason: 'not found',
    });
  });
});

describe('validateProject', () => {
  it('names a missing framework, SDK and output type, and beside errors not what could be better', () => {
    const outer = { framework: '', properties: {}, items: { PackageReference: [], ProjectReference: [] } };
    const validation = validateProject({
      evaluation: { project: '/nowhere/A.csproj', outer, inner: [outer] },
      xml: parseXml('<Project/>'),
      restored: true,
    });
    expect(validation).toMatchObject({
      isValid: false,
      errors: [expect.stringContaining('target framework')],
      warnings: [expect.stringContaining('SDK'), expect.stringContaining('OutputType')],
      recommendations: [],
    });
  });

  it('names the end of support of old frameworks, doubled packages and projects that are not there', () => {
    const item = (include: string) => ({ include, fullPath: `/nowhere/${include}`, metadata: { Version: '1.0.0' } });
    const validate = (...references: string[]) => {
      const inner = {
        framework: 'net9.0',
        properties: { TargetFramework: 'net9.0', OutputType: 'Exe', Nullable: 'enable' },
        items: { PackageReference: [item('A'), item('a')], ProjectReference: references.map(item) },
      };
      const evaluation = { project: '/nowhere/A.csproj', outer: inner, inner: [inner] };
      return validateProject({ evaluation, xml: parseXml('<Project Sdk="X"/>'), restored: false });
    };
    expect(validate('B.csproj')).toMatchObject({
      errors: [expect.stringContaining('/nowhere/B.csproj')],
      warnings: [expect.stringContaining('more than once')],
      recommendations: [],
    });
    expect(validate()).toMatchObject({
      errors: [],
      recommendations: [
        'net9.0 has support until 2026-11-10; the latest long-term support release is net10.0.',
        expect.stringContaining('vulnerabilities'),
        expect.stringContaining('Restore'),
      ],
    });
  });
});
