import { NET10 as net10, type ProjectCase, type ProvokingBuild, projectBuild, sdkProject as sdk } from './build.js';

const plain = (content: string) => `<Project>${content}<Target Name="Build" /></Project>`;
const target = (content: string) => `<Project><Target Name="Build">${content}</Target></Project>`;
const packages = (items: string, properties = '') => sdk(net10 + properties, `<ItemGroup>${items}</ItemGroup>`);

/** Projects whose build makes MSBuild 18 or the SDK 10.0.401 print a diagnostic, without any package restored. */
const BUILT_PROJECTS: Readonly<Record<string, string>> = {
  MSB3021: target('<Copy SourceFiles="$(MSBuildProjectFullPath)" DestinationFiles="/proc/none/x" Retries="0" />'),
  MSB3024: target(
    '<MakeDir Directories="$(MSBuildThisFileDirectory)f" /><Copy SourceFiles="$(MSBuildProjectFullPath)" DestinationFiles="$(MSBuildThisFileDirectory)f" />',
  ),
  MSB3030: target('<Copy SourceFiles="nope.txt" DestinationFolder="x" />'),
  MSB3073: target('<Exec Command="exit 3" />'),
  MSB3202: target('<MSBuild Projects="nope.proj" />'),
  MSB4006:
    '<Project><Target Name="Build" DependsOnTargets="A" /><Target Name="A" DependsOnTargets="Build" /></Project>',
  MSB4011: '<Project><Import Project="x.props" /><Import Project="x.props" /><Target Name="Build" /></Project>',
  MSB4019: plain('<Import Project="nope.props" />'),
  MSB4024: plain('<Import Project="broken.props" />'),
  MSB4025: '<Project>',
  MSB4036: target('<Nope />'),
  MSB4057: '<Project><Target Name="Build" DependsOnTargets="Nope" /></Project>',
  MSB4062:
    '<Project><UsingTask TaskName="Nope" AssemblyFile="nope.dll" /><Target Name="Build"><Nope /></Target></Project>',
  MSB4066: plain('<PropertyGroup Nope="1" />'),
  MSB4067: plain('<Nope />'),
  MSB4068: '<Nope />',
  MSB4100: plain('<PropertyGroup><A Condition="nope and true">1</A></PropertyGroup>'),
  MSB4113: plain('<PropertyGroup><A Condition="$(Nope)">1</A></PropertyGroup>'),
  MSB4184: plain(`<PropertyGroup><A>$([System.IO.Path]::GetFullPath(''))</A></PropertyGroup>`),
  MSB4186: plain('<PropertyGroup><A>$([System.IO.Path]::Nope())</A></PropertyGroup>'),
  MSB4212: plain('<PropertyGroup><A>$([System.Nope]::X())</A></PropertyGroup>'),
  MSB4236: '<Project Sdk="Not.An.Sdk" />',
  NETSDK1004: sdk(net10),
  NETSDK1013: sdk('<TargetFramework>nope</TargetFramework>'),
  NETSDK1045: sdk('<TargetFramework>net11.0</TargetFramework>'),
  NETSDK1139: sdk('<TargetFramework>net10.0-nope</TargetFramework>'),
  NETSDK1147: sdk('<TargetFramework>net10.0-android</TargetFramework>'),
  NETSDK1215: sdk('<TargetFramework>netstandard1.0</TargetFramework>'),
};

/** The same for restore; the only source is an empty folder, so nothing is fetched. */
const RESTORED_PROJECTS: Readonly<Record<string, string>> = {
  NETSDK1083: sdk(`${net10}<OutputType>Exe</OutputType><RuntimeIdentifier>nope-x64</RuntimeIdentifier>`),
  NETSDK1100: sdk('<TargetFramework>net10.0-windows</TargetFramework><UseWindowsForms>true</UseWindowsForms>'),
  NU1008: packages('<PackageReference Include="A" Version="1.0.0" />'),
  NU1010: packages('<PackageReference Include="A" />'),
  NU1011: packages('<PackageReference Include="A" />'),
  NU1015: packages('<PackageReference Include="A" />'),
  NU1101: packages('<PackageReference Include="A" Version="1.0.0" />'),
  NU1302: packages(
    '<PackageReference Include="A" Version="1.0.0" />',
    '<RestoreSources>http://127.0.0.1:9/index.json</RestoreSources>',
  ),
  NU1504: packages('<PackageReference Include="A" Version="1.0.0" /><PackageReference Include="A" Version="1.0.0" />'),
  NU1506: packages(''),
  NU1604: packages('<PackageReference Include="A" Version="(,2.0.0]" />'),
};

/** Directory.Packages.props beside the projects that need one. */
const CENTRAL_VERSIONS: Readonly<Record<string, string>> = {
  NU1008: central('<PackageVersion Include="A" Version="1.0.0" />'),
  NU1010: central(''),
  NU1011: central('<PackageVersion Include="A" Version="1.*" />'),
  NU1506: central('<PackageVersion Include="A" Version="1.0.0" /><PackageVersion Include="A" Version="1.0.0" />'),
};

function central(items: string): string {
  const property = '<ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally>';
  return `<Project><PropertyGroup>${property}</PropertyGroup><ItemGroup>${items}</ItemGroup></Project>`;
}

function caseOf([code, text]: [string, string], step: string): [string, ProjectCase] {
  const versions = CENTRAL_VERSIONS[code];
  const files = { 'p.csproj': text, 'x.props': '<Project />', 'broken.props': '<Project' };
  return [code, { files: { ...files, ...(versions && { 'Directory.Packages.props': versions }) }, steps: [step] }];
}

export const SMALLEST_PROJECTS: ProvokingBuild = projectBuild(
  'the smallest projects, built or restored',
  Object.fromEntries([
    ...Object.entries(BUILT_PROJECTS).map((entry) => caseOf(entry, 'Build')),
    ...Object.entries(RESTORED_PROJECTS).map((entry) => caseOf(entry, 'Restore')),
  ]),
  {
    files: {
      'empty/none.txt': '',
      'nuget.config':
        '<configuration><packageSources><clear /><add key="empty" value="empty" /></packageSources></configuration>',
    },
  },
);
