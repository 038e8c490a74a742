import { describe, expect, it } from 'vitest';
import { describeChange, lineChanges, withoutContent } from '../../src/project-files/line-changes.js';

const described = (before: string[], after: string[], format?: { withName: boolean }) =>
  withoutContent(lineChanges(before.join('\n'), after.join('\r\n'))).flatMap((change) => {
    const what = describeChange(change, format);
    return what === undefined ? [] : [`${change.line}: ${what}`];
  });

const version = (id: string, value: string) => `    <PackageVersion Include="${id}" Version="${value}" />`;

describe('the changes of a file', () => {
  it('are the words that differ on a line', () => {
    const lines = (value: string) => ['<Project>', '<ItemGroup>', version('A', value), '</ItemGroup>', '</Project>'];
    expect(described(lines('1.0.0'), lines('2.0.0'))).toEqual(['3: 1.0.0 → 2.0.0']);
    expect(described(lines('1.0.0'), lines('2.0.0'), { withName: true })).toEqual(['3: A 1.0.0 → 2.0.0']);
  });

  it('are items and projects by name, without the groups around them', () => {
    const before = ['<Project>', '</Project>'];
    const reference = '<ProjectReference Include="..\\Lib\\Lib.csproj" />';
    const after = ['<Project>', '', '<ItemGroup>', version('A', '1.0.0'), reference, '</ItemGroup>', '</Project>'];
    expect(described(before, after)).toEqual([
      '4: added PackageVersion A 1.0.0',
      '5: added ProjectReference ../Lib/Lib.csproj',
    ]);
    expect(described(after, before)).toEqual([
      '4: removed PackageVersion A 1.0.0',
      '5: removed ProjectReference ../Lib/Lib.csproj',
    ]);
    expect(
      described(['<Solution>', '</Solution>'], ['<Solution>', '<Project Path="a/A.csproj" />', '</Solution>']),
    ).toEqual(['2: added Project a/A.csproj']);
  });

  it('of a .sln are its projects alone', () => {
    const after = [
      'Project("{FAE04EC0-301F-11D3-BF4B-00C04F79EFBC}") = "Lib", "Lib\\Lib.csproj", "{11111111-1111-1111-1111-111111111111}"',
      'EndProject',
      'Global',
      'GlobalSection(ProjectConfigurationPlatforms) = postSolution',
      'Debug|x64 = Debug|x64',
      '{11111111-1111-1111-1111-111111111111}.Debug|Any CPU.ActiveCfg = Debug|Any CPU',
      'EndGlobalSection',
      'EndGlobal',
    ];
    expect(described([''], after)).toEqual(['1: added Project Lib/Lib.csproj']);
  });

  it('are found between lines that stay, in their order', () => {
    const before = [version('A', '1'), version('B', '1'), version('C', '1'), version('D', '1')];
    const after = [version('A', '2'), version('B', '1'), version('New', '1'), version('C', '1'), version('D', '3')];
    expect(described(before, after, { withName: true })).toEqual([
      '1: A 1 → 2',
      '3: added PackageVersion New 1',
      '5: D 1 → 3',
    ]);
  });

  it('are not the format of a file that the command wrote on several lines', () => {
    const before = `<Project><ItemGroup><!-- ours -->${version('A', '1').trim()}</ItemGroup></Project>`;
    const after = [
      '<Project>',
      '  <ItemGroup>',
      '    <!-- ours -->',
      version('A', '2'),
      '  </ItemGroup>',
      '</Project>',
    ];
    expect(described([before], after)).toEqual(['4: 1 → 2']);
  });

  it('are the item alone, without the metadata that it has on further lines', () => {
    const item = [
      '<PackageReference Include="xunit.runner.visualstudio">',
      '<IncludeAssets>runtime; build</IncludeAssets>',
      '<PrivateAssets>all</PrivateAssets>',
      '</PackageReference>',
    ];
    const [before, after] = [
      ['<ItemGroup>', '</ItemGroup>'],
      ['<ItemGroup>', ...item, version('A', '1'), '</ItemGroup>'],
    ];
    expect(described(before, after)).toEqual([
      '2: added PackageReference xunit.runner.visualstudio',
      '6: added PackageVersion A 1',
    ]);
    expect(described(after, before)).toHaveLength(2);
  });

  it('have no white space at the ends of lines, and no blank lines', () => {
    expect(lineChanges('<a>\n  <b/>\n</a>\n', '<a>\n\n    <b/>   \n</a>')).toEqual([]);
  });

  it('of a large file that was written anew are counted without a long comparison', () => {
    const text = (prefix: string) => Array.from({ length: 20_000 }, (_, index) => `${prefix}${index}`).join('\n');
    expect(lineChanges(text('a'), text('b'))).toHaveLength(20_000);
  });
});
