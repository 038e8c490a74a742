import {
  afterRestore,
  EXE,
  items,
  NET10,
  type ProjectCase,
  type ProvokingBuild,
  packageReference,
  projectBuild,
  sdkProject,
} from './build.js';

const LINUX = '<RuntimeIdentifier>linux-x64</RuntimeIdentifier>';
const SELF_CONTAINED = '<SelfContained>true</SelfContained>';
const DEPENDENT = '<SelfContained>false</SelfContained>';
const WITHOUT_HOST = '<UseAppHost>false</UseAppHost>';
const WINDOWS = '<EnableWindowsTargeting>true</EnableWindowsTargeting>';
const READY_TO_RUN = '<PublishReadyToRun>true</PublishReadyToRun>';
const SINGLE_FILE = '<PublishSingleFile>true</PublishSingleFile>';
const MAIN = { 'Main.cs': 'class M { static void Main() { } }' };
const framework = (name: string) => `<TargetFramework>${name}</TargetFramework>`;

const project = (text: string, steps: readonly string[], files: Record<string, string> = {}): ProjectCase => ({
  files: { 'p.csproj': text, ...files },
  steps,
});
const built = (text: string, files: Record<string, string> = {}) => project(text, ['Restore', 'Build'], files);
const unrestored = (text: string, target = 'Build') => project(text, [target]);

/** What the SDK says of frameworks, runtimes and ways of publishing; no package is fetched. */
export const SDK_FEATURES: ProvokingBuild = projectBuild(
  'SDK projects: frameworks, runtimes, publishing',
  {
    NETSDK1001: unrestored(
      sdkProject(
        NET10 + LINUX + WITHOUT_HOST,
        '<Target Name="Empty" BeforeTargets="PrepareForComposeStore"><PropertyGroup><TargetFramework></TargetFramework></PropertyGroup></Target>',
      ),
      'PrepareForComposeStore',
    ),
    NETSDK1005: built(sdkProject(NET10, afterRestore(framework('net9.0')))),
    NETSDK1022: built(sdkProject(NET10, items('<Compile Include="Main.cs" />')), MAIN),
    NETSDK1023: unrestored(
      sdkProject(framework('netstandard2.0'), items(packageReference('NETStandard.Library', '2.0.3'))),
      'CollectPackageReferences',
    ),
    NETSDK1032: built(sdkProject(`${NET10}${EXE}${LINUX}<PlatformTarget>x86</PlatformTarget>`)),
    NETSDK1042: built(sdkProject(NET10, items('<PackageConflictPlatformManifests Include="nope.txt" />'))),
    NETSDK1047: built(sdkProject(NET10 + EXE, afterRestore(LINUX))),
    NETSDK1063: built(
      sdkProject(
        NET10,
        '<Target Name="Empty" BeforeTargets="ResolvePackageAssets"><PropertyGroup><ProjectAssetsFile></ProjectAssetsFile></PropertyGroup></Target>',
      ),
    ),
    NETSDK1067: built(sdkProject(NET10 + EXE + LINUX + SELF_CONTAINED + WITHOUT_HOST)),
    NETSDK1068: unrestored(sdkProject(`${framework('netcoreapp2.0')}${EXE}${DEPENDENT}<UseAppHost>true</UseAppHost>`)),
    NETSDK1073: built(sdkProject(NET10, items('<FrameworkReference Include="Nope" />'))),
    NETSDK1080: unrestored(
      sdkProject(NET10, items('<PackageReference Include="Microsoft.AspNetCore.App" />')),
      'CollectPackageReferences',
    ),
    NETSDK1084: unrestored(
      sdkProject(`${NET10}${EXE}<RuntimeIdentifier>browser-wasm</RuntimeIdentifier><UseAppHost>true</UseAppHost>`),
      'ProcessFrameworkReferences',
    ),
    NETSDK1085: project(sdkProject(`${NET10}<NoBuild>true</NoBuild>`), ['Restore', 'CoreBuild']),
    NETSDK1094: project(sdkProject(NET10 + EXE + LINUX + DEPENDENT + WITHOUT_HOST, afterRestore(READY_TO_RUN)), [
      'Restore',
      'ResolveReadyToRunCompilers',
    ]),
    NETSDK1098: unrestored(
      sdkProject(NET10 + EXE + LINUX + DEPENDENT + WITHOUT_HOST + SINGLE_FILE),
      'PrepareForPublish',
    ),
    NETSDK1099: unrestored(sdkProject(NET10 + LINUX + SINGLE_FILE), 'PrepareForPublish'),
    NETSDK1112: built(sdkProject(NET10 + EXE + LINUX, afterRestore(SELF_CONTAINED)), MAIN),
    NETSDK1127: built(
      sdkProject(
        `${framework('net9.0')}${WITHOUT_HOST}<EnableTargetingPackDownload>false</EnableTargetingPackDownload>`,
      ),
    ),
    NETSDK1129: unrestored(sdkProject('<TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks>'), 'Publish'),
    NETSDK1130: project(
      sdkProject(
        NET10,
        `<Target Name="Add" AfterTargets="ResolveReferences">${items('<ReferencePath Include="x.winmd" />')}</Target>`,
      ),
      ['Restore', '_BlockWinMDsOnUnsupportedTFMs'],
    ),
    NETSDK1135: unrestored(
      sdkProject(
        `${framework('net10.0-windows10.0.17763.0')}${WINDOWS}<SupportedOSPlatformVersion>10.0.99999.0</SupportedOSPlatformVersion>`,
      ),
    ),
    NETSDK1136: unrestored(sdkProject(`${NET10}${WINDOWS}<UseWPF>true</UseWPF>`)),
    NETSDK1137: unrestored(
      sdkProject(
        `${framework('net10.0-windows')}${WINDOWS}<UseWPF>true</UseWPF>`,
        '',
        'Microsoft.NET.Sdk.WindowsDesktop',
      ),
    ),
    NETSDK1138: unrestored(sdkProject(framework('net6.0') + EXE)),
    NETSDK1140: unrestored(sdkProject(framework('net10.0-windows1.2.3.4') + WINDOWS)),
    NETSDK1146: unrestored(
      sdkProject(`${framework('net10.0-windows')}${EXE}${WINDOWS}<PackAsTool>true</PackAsTool>`),
      '_PackToolValidation',
    ),
    NETSDK1152: project(
      sdkProject(
        NET10,
        items('<Content Include="a/x.txt;b/x.txt" CopyToPublishDirectory="Always" TargetPath="x.txt" />'),
      ),
      ['Restore', 'Publish'],
      { 'a/x.txt': '', 'b/x.txt': '' },
    ),
    NETSDK1175: unrestored(
      sdkProject(
        `${framework('net10.0-windows')}${EXE}${WINDOWS}<UseWindowsForms>true</UseWindowsForms><PublishTrimmed>true</PublishTrimmed><RuntimeIdentifier>win-x64</RuntimeIdentifier>`,
      ),
    ),
    NETSDK1176: unrestored(
      sdkProject(
        `${NET10}${EXE}${LINUX}${DEPENDENT}${SINGLE_FILE}<EnableCompressionInSingleFile>true</EnableCompressionInSingleFile>`,
      ),
      'PrepareForPublish',
    ),
    NETSDK1178: unrestored(
      sdkProject(NET10, items('<MissingWorkloadPack Include="Microsoft.Nope.Ref" />')),
      '_CheckForMissingWorkload',
    ),
    NETSDK1191: built(
      sdkProject(`${NET10}${EXE}${SELF_CONTAINED}<UseCurrentRuntimeIdentifier>false</UseCurrentRuntimeIdentifier>`),
    ),
    NETSDK1198: unrestored(sdkProject(`${NET10}<PublishProfile>Nope</PublishProfile>`), 'PrepareForPublish'),
    NETSDK1201: unrestored(sdkProject(framework('net6.0') + EXE + LINUX)),
    NETSDK1207: unrestored(sdkProject(`${framework('netstandard2.0')}<PublishAot>true</PublishAot>`)),
    NETSDK1210: unrestored(sdkProject(`${framework('netstandard2.0')}<IsAotCompatible>true</IsAotCompatible>`)),
    NETSDK1212: unrestored(sdkProject(`${framework('netstandard2.0')}<IsTrimmable>true</IsTrimmable>`)),
  },
  {
    files: {
      'empty/none.txt': '',
      'nuget.config':
        '<configuration><packageSources><clear /><add key="empty" value="empty" /></packageSources></configuration>',
    },
  },
);

const program = (properties: string, steps: readonly string[], rest = '', files: Record<string, string> = {}) =>
  project(sdkProject(NET10 + EXE + properties, rest), steps, { ...MAIN, ...files });
const REFERENCE_X = items('<ProjectReference Include="x/x.csproj" />', '<Compile Remove="x/**" />');
const x = (properties: string) => ({
  'x/x.csproj': sdkProject(NET10 + EXE + properties),
  'x/Main.cs': 'class X { static void Main() { } }',
});
const PUBLISH = ['Restore', 'Publish'];

/** What needs the runtime pack, the linker, the ahead-of-time compiler or a test framework. */
export const SDK_PACKAGES: ProvokingBuild = projectBuild(
  'SDK projects with packages of the ordinary source',
  {
    MTP0001: project(
      sdkProject(
        `${NET10}${EXE}<TestingPlatformDotnetTestSupport>true</TestingPlatformDotnetTestSupport><VSTestLogger>trx</VSTestLogger>`,
        items(packageReference('xunit.v3', '3.2.1')),
      ),
      ['Restore', 'Build', 'VSTest'],
      { 'Tests.cs': 'public class T { [Xunit.Fact] public void Passes() { } }' },
    ),
    NETSDK1096: program(
      `${LINUX}${DEPENDENT}${READY_TO_RUN}<PublishReadyToRunCrossgen2ExtraArgs>--nope</PublishReadyToRunCrossgen2ExtraArgs>`,
      PUBLISH,
    ),
    NETSDK1102: program(`${LINUX}${DEPENDENT}<PublishTrimmed>true</PublishTrimmed>`, ['Restore', 'PrepareForILLink']),
    NETSDK1144: program(
      `${LINUX}${SELF_CONTAINED}<PublishTrimmed>true</PublishTrimmed><_ExtraTrimmerArgs>--nope</_ExtraTrimmerArgs>`,
      PUBLISH,
    ),
    NETSDK1150: program(LINUX + SELF_CONTAINED, ['Restore', 'Build'], REFERENCE_X, x(DEPENDENT)),
    NETSDK1151: program('', ['Restore', 'Build'], REFERENCE_X, x(LINUX + SELF_CONTAINED)),
  },
  { usesOrdinarySource: true },
);
