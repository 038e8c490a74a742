import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../src/advice/failure.js';
import { runOf } from '../fixture.js';

const detail = (stderr: string, exitCode = 1, args = ['x']) =>
  failureOf({ ...runOf('clean', exitCode, args), stdout: '', stderr, output: stderr }, { label: 'Command' });

/** As SDK 10 prints them. */
const CODED: [text: string, code: string, mcpErrorCode?: number][] = [
  ['Could not find project or directory `nope.csproj`.', 'MSB1009', -32002],
  ['Could not find solution or directory `nope.sln`.', 'MSB1009', -32002],
  ["Could not find file or directory '/w/nope.csproj'.", 'MSB1009', -32002],
  ['The provided file path does not exist: nope.csproj.', 'MSB1009', -32002],
  ["dotnet watch : The project file '/w/nope.csproj' does not exist.", 'MSB1009', -32002],
  ["The file '/w/nope.csproj' does not exist.", 'MSB1009', -32002],
  [
    "Unable to run 'dotnet nuget why'. Missing or invalid path 'nope.csproj'. Provide\na path to a project.",
    'MSB1009',
    -32002,
  ],
  ["error: Unable to add package. Missing or Invalid project file 'nope.csproj'.", 'MSB1009', -32002],
  ['Could not find any project in `/w/empty/`.', 'MSB1003', -32002],
  [
    'A project or solution file could not be found in /w/empty/. Specify a project or solution file to use.',
    'MSB1003',
    -32002,
  ],
  ["The directory '/w/empty' does not contain any project or solution files.", 'MSB1003', -32002],
  [
    "Couldn't find a project to run. Ensure a project exists in /w, or pass the path to the project using --project.",
    'MSB1003',
    -32002,
  ],
  ['Specified solution file /w/ does not exist, or there is no solution file in the directory.', 'MSB1003', -32002],
  [
    "Unhandled exception: System.IO.FileNotFoundException: Could not find a MSBuild project file or solution file in '/w/'. Specify which to use.\n   at A.B()",
    'MSB1003',
    -32002,
  ],
  [
    "Could not find a MSBuild project file in '/w'. Specify which project to use with the --project option.",
    'MSB1003',
    -32002,
  ],
  ['Found more than one project in `/w/`. Specify which one to use.', 'MSB1011'],
  ["Multiple MSBuild project files found in '/w'. Specify which to use with the --project option.", 'MSB1011'],
  ['No assets file was found for `/w/A.csproj`. Run restore before \nrunning this command.', 'NETSDK1004', -32002],
  ["error: There are no versions available for the package 'X.Y'.", 'NU1101', -32002],
  ['nope.tool is not found in NuGet feeds https://api.nuget.org/v3/index.json.', 'NU1101', -32002],
  [
    'Version 9.9.9 of package nope.tool is not found in NuGet feeds https://api.nuget.org/v3/index.json.',
    'NU1102',
    -32002,
  ],
  ['Nope.Templates could not be installed, the package does not exist.', 'NU1101', -32002],
  ['Unhandled exception: Unable to load the service index for source http://127.0.0.1:9/index.json.', 'NU1301'],
  [
    "error: Failed to retrieve information about 'X' from remote source 'http://127.0.0.1:9/'.\nerror:   Connection refused",
    'NU1301',
  ],
  ['The source does not have a Search service!', 'NUGET_NO_SEARCH'],
  ['No NuGet sources are defined or enabled', 'NUGET_NO_SOURCES'],
  ['Nope could not be installed, no NuGet feeds are configured or they are invalid.', 'NUGET_NO_SOURCES'],
];

describe('what the CLI prints without a code', () => {
  it.each(CODED)('%s', (...[pattern, code, mcpErrorCode]) => {
    const { errors } = detail(pattern);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      code,
      hint: expect.stringMatching(/\S/),
      data: { command: 'dotnet x', exitCode: 1 },
    });
    expect(errors[0]!.mcpErrorCode).toBe(mcpErrorCode);
    expect(errors[0]!.message).not.toMatch(/\n\s+at |before \n/);
  });

  it.each([
    'Could not find the key that was lost.',
    'Unable to load the settings.',
    "Could not find file '/data/in.txt'.",
  ])('stays EXIT_1 where it is the words of a program: %s', (pattern) => {
    expect(detail(pattern, 1, ['run']).errors).toMatchObject([
      { code: 'EXIT_1', message: pattern, mcpErrorCode: -32603 },
    ]);
  });

  it.each([
    ['Workload installation failed: Workload ID nope is not recognized.', 'dotnet_workload', 'Search', -32002],
    ["Workload uninstallation failed: Couldn't find workload ID(s): nope", 'dotnet_workload', 'List', -32002],
    ["Cannot find a tool in the manifest file that has a command named 'nope'.", 'dotnet_tool', 'List', -32002],
    ["A tool with the package Id 'nope' could not be found.", 'dotnet_tool', 'List', -32002],
    ["The name 'First' is used by an existing migration.", 'dotnet_ef', 'MigrationsList', -32603],
    ["The migration 'Nope' was not found.", 'dotnet_ef', 'MigrationsList', -32002],
    ["No DbContext named 'Nope' was found.", 'dotnet_ef', 'DbContextList', -32002],
  ])('says what to do: %s', (pattern, toolName, action, mcpErrorCode) => {
    expect(detail(pattern).errors).toMatchObject([
      {
        code: 'EXIT_1',
        message: pattern,
        hint: expect.stringContaining(action),
        mcpErrorCode,
        recommendedAction: { actionKind: 'CallTool', toolName, arguments: { action } },
      },
    ]);
  });

  it('of NuGet over several lines is one error of category Package', () => {
    const config = [
      "error: NuGet.Config is not valid XML. Path: '/w/nuget.config'.",
      'error:   Unexpected end of file.',
    ];
    expect(detail(config.join('\n')).errors).toMatchObject([
      {
        code: 'NUGET_UNCODED',
        category: 'Package',
        message: "NuGet.Config is not valid XML. Path: '/w/nuget.config'.\n  Unexpected end of file.",
        hint: expect.stringMatching(/\S/),
        rootCauseKind: 'PackageError',
      },
    ]);
    const dead = [
      'error: Unable to load the service index for source http://127.0.0.1:9/.',
      'error:   Connection refused',
    ];
    const unresolved = "error: Unable to find a resolved package for 'X'. This is a tooling error.";
    expect(detail([...dead, ...dead, unresolved].join('\n')).errors).toMatchObject([
      { code: 'NU1301', category: 'Package', rootCauseKind: 'NetworkUnreachable', hint: expect.stringMatching(/\S/) },
    ]);
  });

  it('stands behind what has a code', () => {
    const output = [
      '/w/S.csproj(2,2): error : my own words [/w/S.csproj]',
      "/w/S.csproj : error MSB4236: The SDK 'Nope.Sdk' specified could not be found. [/w/S.csproj]",
    ].join('\n');
    const { errors } = detail(output);
    expect(errors.map(({ code }) => code)).toEqual(['MSB4236', 'MSBUILD_UNCODED']);
    expect(errors.map(({ data }) => data?.command)).toEqual(['dotnet x', 'dotnet x']);
  });

  it('has a hint where the dictionary has none', () => {
    const { errors } = detail('/w/U.csproj(3,5): error : my own words [/w/U.csproj]');
    expect(errors).toMatchObject([{ code: 'MSBUILD_UNCODED', hint: expect.stringMatching(/\S/) }]);
  });
});
