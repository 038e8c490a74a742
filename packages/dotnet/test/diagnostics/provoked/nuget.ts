import {
  items,
  NET10,
  type ProjectCase,
  type ProvokingBuild,
  packageReference,
  projectBuild,
  sdkProject,
} from './build.js';
import { nupkg, type Package } from './nupkg.js';

/** The packages of the feed, each the smallest that has its fault. */
const FEED: readonly Package[] = [
  { id: 'Plain', version: '1.0.0' },
  { id: 'Plain', version: '2.0.0' },
  { id: 'From2', version: '2.0.0' },
  { id: 'Pre', version: '1.0.0-beta' },
  { id: 'Exactly1', version: '1.0.0', dependencies: { Plain: '[1.0.0]' } },
  { id: 'Exactly2', version: '1.0.0', dependencies: { Plain: '[2.0.0]' } },
  { id: 'AtLeast2', version: '1.0.0', dependencies: { Plain: '2.0.0' } },
  { id: 'Unbounded', version: '1.0.0', dependencies: { Plain: '(,2.0.0]' } },
  { id: 'CycleA', version: '1.0.0', dependencies: { CycleB: '1.0.0' } },
  { id: 'CycleB', version: '1.0.0', dependencies: { CycleA: '1.0.0' } },
  { id: 'Future', version: '1.0.0', files: ['lib/net99.0/_._'] },
  { id: 'Old', version: '1.0.0', files: ['lib/net472/_._'] },
  { id: 'Reference', version: '1.0.0', files: ['ref/netstandard2.0/Reference.dll'] },
  { id: 'Native', version: '1.0.0', files: ['lib/netstandard2.0/_._', 'runtimes/win10-x64/native/native.dll'] },
  { id: 'Lost', version: '1.0.0', files: ['lib/netstandard2.0/Lost.dll'] },
  { id: 'Platform', version: '1.0.0', type: 'DotnetPlatform' },
  { id: 'Newer', version: '1.0.0', minClientVersion: '99.0.0' },
  { id: 'Outside', version: '1.0.0', files: ['lib/netstandard2.0/_._', '../../../outside.txt'] },
  { id: 'System.Text.Json', version: '9.0.0' },
  ...['Low', 'Moderate', 'High', 'Critical'].map((id) => ({ id, version: '1.0.0' })),
];

const DEAD = '<add key="dead" value="http://127.0.0.1:9/index.json" allowInsecureConnections="true" />';
const HERE = '<add key="feed" value="../feed" />';

const config = (sources: string, more = '') =>
  `<configuration><packageSources><clear />${sources}</packageSources>${more}</configuration>`;
const auditSource = (path: string) =>
  `<auditSources><clear /><add key="audit" value="{audit}/${path}" allowInsecureConnections="true" /></auditSources>`;
const lockFile = (dependencies: object) => JSON.stringify({ version: 1, dependencies: { 'net10.0': dependencies } });

const restored = (content: string, properties = '', files: Record<string, string> = {}): ProjectCase => ({
  files: { ...files, 'p.csproj': sdkProject(NET10 + properties, items(content)) },
  steps: ['Restore'],
});
const central = (versions: string, properties = '') => ({
  'Directory.Packages.props': `<Project><PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally>${properties}</PropertyGroup>${items(versions)}</Project>`,
});
const centralVersion = (id: string, version: string) => `<PackageVersion Include="${id}" Version="${version}" />`;

const PLAIN = packageReference('Plain', '1.0.0');
const PLAIN_WITHOUT_VERSION = '<PackageReference Include="Plain" />';
const LOCKED = '<RestorePackagesWithLockFile>true</RestorePackagesWithLockFile>';
const REFERENCE_X = '<ProjectReference Include="x/x.csproj" />';
const WITHOUT_IMPLICIT = '<DisableImplicitFrameworkReferences>true</DisableImplicitFrameworkReferences>';

const CASES: Readonly<Record<string, ProjectCase>> = {
  NU1004: restored(PLAIN, `${LOCKED}<RestoreLockedMode>true</RestoreLockedMode>`, {
    'packages.lock.json': lockFile({}),
  }),
  NU1005: restored(PLAIN, '<RestorePackagesWithLockFile>false</RestorePackagesWithLockFile>', {
    'packages.lock.json': lockFile({}),
  }),
  NU1009: {
    files: {
      'p.csproj': sdkProject('<TargetFramework>netstandard2.0</TargetFramework>'),
      ...central(centralVersion('NETStandard.Library', '2.0.3')),
    },
    steps: ['Restore'],
  },
  NU1012: {
    files: {
      'p.csproj': sdkProject(
        '<TargetFramework>net10.0-nope</TargetFramework><TargetPlatformSupported>true</TargetPlatformSupported>',
      ),
    },
    steps: ['Restore'],
  },
  NU1013: restored(
    '<PackageReference Include="Plain" VersionOverride="1.0.0" />',
    '',
    central(
      centralVersion('Plain', '1.0.0'),
      '<CentralPackageVersionOverrideEnabled>false</CentralPackageVersionOverrideEnabled>',
    ),
  ),
  NU1100: restored(PLAIN, '', {
    'nuget.config': config(
      HERE,
      '<packageSourceMapping><packageSource key="feed"><package pattern="Other.*" /></packageSource></packageSourceMapping>',
    ),
  }),
  NU1102: restored(packageReference('Plain', '9.0.0')),
  NU1103: restored(packageReference('Pre', '0.5.0')),
  NU1107: restored(packageReference('Exactly1', '1.0.0') + packageReference('Exactly2', '1.0.0')),
  NU1108: restored(packageReference('CycleA', '1.0.0')),
  NU1109: restored(
    '<PackageReference Include="AtLeast2" />',
    '',
    central(
      centralVersion('Plain', '1.0.0') + centralVersion('AtLeast2', '1.0.0'),
      '<CentralPackageTransitivePinningEnabled>true</CentralPackageTransitivePinningEnabled>',
    ),
  ),
  NU1201: {
    files: {
      'p.csproj': sdkProject(
        `<TargetFramework>netstandard2.0</TargetFramework>${WITHOUT_IMPLICIT}`,
        items(REFERENCE_X),
      ),
      'x/x.csproj': sdkProject(NET10),
    },
    steps: ['Restore'],
  },
  NU1202: restored(packageReference('Future', '1.0.0')),
  NU1203: restored(
    packageReference('Reference', '1.0.0'),
    '<RuntimeIdentifier>linux-x64</RuntimeIdentifier><ValidateRuntimeIdentifierCompatibility>true</ValidateRuntimeIdentifierCompatibility>',
  ),
  NU1213: restored(packageReference('Platform', '1.0.0')),
  NU1301: restored(packageReference('Unseen', '1.0.0'), '', { 'nuget.config': config(DEAD) }),
  NU1401: restored(packageReference('Newer', '1.0.0')),
  NU1402: restored(packageReference('Outside', '1.0.0')),
  NU1403: restored(PLAIN, LOCKED, {
    'packages.lock.json': lockFile({
      Plain: { type: 'Direct', requested: '[1.0.0, )', resolved: '1.0.0', contentHash: 'AAAA' },
    }),
  }),
  NU1505: restored('<PackageDownload Include="Plain" Version="[1.0.0]" />'.repeat(2)),
  NU1507: restored(PLAIN_WITHOUT_VERSION, '', {
    ...central(centralVersion('Plain', '1.0.0')),
    'nuget.config': config(HERE + DEAD + DEAD.replace('"dead"', '"other"').replace('index', 'other')),
  }),
  NU1510: restored(packageReference('System.Text.Json', '9.0.0')),
  NU1602: restored(packageReference('Unbounded', '1.0.0')),
  NU1603: restored(packageReference('From2', '1.0.0')),
  NU1605: restored(packageReference('AtLeast2', '1.0.0') + PLAIN),
  NU1608: restored(packageReference('Exactly1', '1.0.0') + packageReference('Plain', '2.0.0')),
  NU1701: restored(packageReference('Old', '1.0.0')),
  NU1702: {
    files: {
      'p.csproj': sdkProject(NET10, items(REFERENCE_X)),
      'x/x.csproj': sdkProject('<TargetFramework>net472</TargetFramework>'),
    },
  },
  NU1801: restored(
    packageReference('Unseen', '1.0.0'),
    '<RestoreIgnoreFailedSources>true</RestoreIgnoreFailedSources>',
    { 'nuget.config': config(DEAD) },
  ),
  NU1905: restored(PLAIN, '', { 'nuget.config': config(HERE, auditSource('none/index.json')) }),
  NU1900: restored(PLAIN, '', { 'nuget.config': config(HERE, auditSource('without/index.json')) }),
  NU1901: restored(packageReference('Low', '1.0.0')),
  NU1902: restored(packageReference('Moderate', '1.0.0')),
  NU1903: restored(packageReference('High', '1.0.0')),
  NU1904: restored(packageReference('Critical', '1.0.0')),
  NETSDK1064: {
    files: {
      'p.csproj': sdkProject(
        NET10,
        `${items(packageReference('Lost', '1.0.0'))}<Target Name="Lose" BeforeTargets="ResolvePackageAssets" Condition="'$(Step)' == '2'"><RemoveDir Directories="$(NuGetPackageRoot)/lost" /></Target>`,
      ),
    },
  },
  NETSDK1206: { files: { 'p.csproj': sdkProject(NET10, items(packageReference('Native', '1.0.0'))) } },
};

/** Restores from a folder feed of small packages; who is vulnerable is said by a server of the test. */
export const RESTORES: ProvokingBuild = projectBuild('restores from a feed of small packages', CASES, {
  files: {
    'nuget.config': config('<add key="feed" value="feed" />', auditSource('index.json')),
    ...Object.fromEntries(FEED.map((item) => [`feed/${item.id}.${item.version}.nupkg`, nupkg(item)])),
  },
});

const packed = (content: string, properties = '', files: Record<string, string> = {}): ProjectCase => ({
  files: {
    'text.txt': '',
    ...files,
    'p.csproj': sdkProject(
      `<TargetFramework>netstandard2.0</TargetFramework>${WITHOUT_IMPLICIT}<IncludeBuildOutput>false</IncludeBuildOutput><NoBuild>true</NoBuild>${properties}`,
      items(content),
    ),
  },
  steps: ['Restore', 'Pack'],
});
const packedFile = (path: string, target = 'x') => `<None Include="${path}" Pack="true" PackagePath="${target}" />`;
const TEXT = packedFile('text.txt');

/** Packs projects that are not built. */
export const PACKS: ProvokingBuild = projectBuild(
  'packs of projects without code',
  {
    NU5017: packed(''),
    NU5019: packed(packedFile('nope.txt')),
    NU5026: {
      files: {
        'p.csproj': sdkProject(
          `<TargetFramework>netstandard2.0</TargetFramework>${WITHOUT_IMPLICIT}<NoBuild>true</NoBuild>`,
        ),
      },
      steps: ['Restore', 'Pack'],
    },
    NU5039: packed(TEXT, '<PackageReadmeFile>nope.md</PackageReadmeFile>'),
    NU5046: packed(TEXT, '<PackageIcon>nope.png</PackageIcon>'),
    NU5048: packed(TEXT, '<PackageIconUrl>https://example.org/icon.png</PackageIconUrl>'),
    NU5100: packed(packedFile('a.dll'), '', { 'a.dll': '' }),
    NU5104: packed(packageReference('Pre', '1.0.0-beta') + TEXT),
    NU5118: packed(packedFile('text.txt;b/text.txt', 'x/text.txt'), '', { 'b/text.txt': '' }),
    NU5119: packed(packedFile('.hidden') + TEXT, '', { '.hidden': '' }),
    NU5125: packed(TEXT, '<PackageLicenseUrl>https://example.org/license</PackageLicenseUrl>'),
    NU5128: packed(PLAIN + packedFile('_._', 'lib/net10.0/_._'), '', { '_._': '' }),
  },
  {
    files: {
      'nuget.config': config('<add key="feed" value="feed" />'),
      'feed/Plain.1.0.0.nupkg': nupkg({ id: 'Plain', version: '1.0.0' }),
      'feed/Pre.1.0.0-beta.nupkg': nupkg({ id: 'Pre', version: '1.0.0-beta' }),
    },
  },
);
