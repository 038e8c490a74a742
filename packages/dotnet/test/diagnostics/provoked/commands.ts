import { NET10, type ProvokingBuild, sdkProject } from './build.js';
import { taskProject } from './msbuild.js';
import { nupkg } from './nupkg.js';

const EMPTY_PROJECT = '<Project><Target Name="Build" /></Project>';
const LIBRARY = sdkProject(NET10);
const SOLUTION = '<Solution><Project Path="a.csproj" /></Solution>';
const CONFIGURATION = 'Debug|Any CPU';
const ID = '{11111111-1111-1111-1111-111111111111}';

/** A solution with a setup project, which the dotnet command cannot build. */
const SETUP_SOLUTION = `Microsoft Visual Studio Solution File, Format Version 12.00
Project("{54435603-DBB4-11D2-8724-00A0C9A8B90C}") = "Setup", "Setup.vdproj", "${ID}"
EndProject
Global
\tGlobalSection(SolutionConfigurationPlatforms) = preSolution
\t\t${CONFIGURATION} = ${CONFIGURATION}
\tEndGlobalSection
\tGlobalSection(ProjectConfigurationPlatforms) = postSolution
\t\t${ID}.${CONFIGURATION}.ActiveCfg = ${CONFIGURATION}
\t\t${ID}.${CONFIGURATION}.Build.0 = ${CONFIGURATION}
\tEndGlobalSection
EndGlobal
`;

/** As `dotnet sln add` writes it: the folder of the second project has the name of the first. */
const TWO_NAMES = SETUP_SOLUTION.replace(
  'EndProject\n',
  `EndProject
Project("{2150E333-8FDC-42A3-9474-1A3956D46DE8}") = "Setup", "Setup", "${ID.replaceAll('1', '2')}"
EndProject
`,
);

/** What the command line, a solution or the environment of a command provokes: a short command each. */
export const COMMANDS: ProvokingBuild = {
  name: 'command lines',
  files: {
    'one/a.proj': EMPTY_PROJECT,
    'two/a.proj': EMPTY_PROJECT,
    'two/b.proj': EMPTY_PROJECT,
    'none/text.txt': '',
    'solution/a.slnx': SOLUTION,
    'solution/a.csproj': LIBRARY,
    'unrestorable/a.slnx': SOLUTION,
    'unrestorable/a.csproj': EMPTY_PROJECT,
    'setup/a.sln': SETUP_SOLUTION,
    'setup/Setup.vdproj': '',
    'names/a.sln': TWO_NAMES,
    'setup/a.slnf': JSON.stringify({ solution: { path: 'a.sln', projects: ['b.csproj'] } }),
    'ends/a.proj': taskProject('Ender', 'Fragment', 'System.Environment.Exit(1);'),
    'spaces/a.csproj': LIBRARY,
    'spaces/a.cs': 'class   A{ }',
    'package.nupkg': nupkg({ id: 'Plain', version: '1.0.0' }),
  },
  commands: [
    { code: 'MSB1001', cwd: 'one', args: ['msbuild', '--nope'] },
    { code: 'MSB1003', cwd: 'none', args: ['build'] },
    { code: 'MSB1006', cwd: 'one', args: ['msbuild', 'a.proj', '-property:=1'] },
    { code: 'MSB1008', cwd: 'two', args: ['msbuild', 'a.proj', 'b.proj'] },
    { code: 'MSB1009', args: ['build', 'nope.csproj'] },
    { code: 'MSB1011', cwd: 'two', args: ['build'] },
    { code: 'MSB1014', cwd: 'one', args: ['msbuild', 'a.proj', '-getItem:'] },
    { code: 'MSB1050', args: ['build', 'two'] },
    { code: 'MSB1063', cwd: 'solution', args: ['msbuild', 'a.slnx', '-getProperty:A,B'] },
    { code: 'MSB4078', cwd: 'setup', args: ['msbuild', 'a.sln'] },
    { code: 'MSB4126', cwd: 'solution', args: ['msbuild', 'a.slnx', '-p:Configuration=Nope'] },
    { code: 'MSB4166', cwd: 'ends', args: ['msbuild', 'a.proj', '-m:2'], env: { MSBUILDNOINPROCNODE: '1' } },
    { code: 'MSB5004', cwd: 'names', args: ['msbuild', 'a.sln'] },
    { code: 'MSB5028', cwd: 'setup', args: ['msbuild', 'a.slnf'] },
    { code: 'NETSDK1194', cwd: 'solution', args: ['build', 'a.slnx', '-o', 'out', '--no-restore'] },
    { code: 'NU1503', cwd: 'unrestorable', args: ['restore', 'a.slnx'] },
    { code: 'NU3004', args: ['nuget', 'verify', 'package.nupkg'] },
    {
      code: 'WHITESPACE',
      cwd: 'spaces',
      args: ['format', 'whitespace', 'a.csproj', '--verify-no-changes', '--no-restore'],
    },
  ],
  codes: [],
};
