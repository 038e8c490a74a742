import type { ErrorResult } from '@mortise/plugin';

/** The codes for messages that the CLI prints without a code. */
const CODES: readonly (readonly [code: string, pattern: RegExp])[] = [
  [
    'MSB1009',
    /^(?:Could not find (?:project|solution|file) or directory ['`]|The provided file path does not exist: |Unable to run 'dotnet nuget why'\. Missing or invalid path |Unable to \w+ package\. Missing or Invalid project file |Project `[^`]+` does not exist\.|The (?:project |solution )?file ['`"][^'`"]+\.(?:\w*proj|slnx?|slnf)['`"] does not exist)/,
  ],
  [
    'MSB1003',
    /^(?:Could not find any project in |A project or solution file could not be found in |The directory '[^']+' does not contain any project or solution files|Couldn't find a project(?: to run)?\. Ensure |Specified solution file .+ does not exist, or |(?:System\.IO\.FileNotFoundException: )?Could not find a MSBuild (?:project|solution) file)/,
  ],
  [
    'MSB1011',
    /^(?:Found more than one (?:project|solution)(?: or solution)?(?: file)? in |The directory '[^']+' contains multiple project or solution files|Specify which project file to use because |(?:System\.IO\.FileNotFoundException: )?(?:Multiple MSBuild (?:project|solution) files found in |Both a MSBuild project file and solution file found in ))/,
  ],
  ['MSB5028', /^Invalid solution `[^`]+\.slnf`\. Project `[^`]+` could not be found in the solution/],
  ['MSB4236', /^(?:Could not resolve SDK "|The SDK '[^']+' specified could not be found)/],
  ['NETSDK1004', /^No assets file was found for /],
  [
    'NU1008',
    /^Projects that use central package version management should not define the version on the PackageReference items/,
  ],
  ['NU1101', /^(?:There are no versions available for the package |\S+ is not found in NuGet feeds )/],
  ['NU1101', /^\S+ could not be installed, the package does not exist\./],
  ['NU1102', /^Version \S+ of package \S+ is not found in NuGet feeds /],
  [
    'NU1301',
    /^(?:Unable to load the service index for source |Failed to retrieve information about '[^']+' from remote source |The local source '[^']+' doesn't exist|Failed to fetch results from )/,
  ],
  ['NUGET_NO_SEARCH', /^The source does not have a Search service!/],
  [
    'NUGET_NO_SOURCES',
    /^(?:No package sources found|No NuGet sources are defined or enabled|\S+ could not be installed, no NuGet feeds are configured|The 'dotnet tool search' command unconditionally accesses nuget\.org)/,
  ],
];

const PREFIX = /^(?:Unhandled exception: |dotnet watch : |error: )*/;
/** The first line of `dotnet package update` (SDK 10), which is not part of a message. */
const ANNOUNCEMENT = /^Updating outdated packages in [^\n]*\n/;
const MAX_CHARS = 2_000;

/** Removes the prefix of a message and its line breaks, because `dotnet nuget` wraps lines at 80 columns. */
const normalize = (text: string) =>
  withoutAnnouncement(text).slice(0, MAX_CHARS).trim().replace(/\s+/g, ' ').replace(PREFIX, '');

/** Removes the line that precedes the first message of some commands. */
export const withoutAnnouncement = (output: string): string => output.trimStart().replace(ANNOUNCEMENT, '');

/** Returns the code that corresponds to a message of the CLI or NuGet; undefined if there is none. */
export function codeOfMessage(text: string): string | undefined {
  const message = normalize(text);
  return CODES.find(([, pattern]) => pattern.test(message))?.[0];
}

/** The next action for a message of the CLI that corresponds to no code. */
export interface CliAdvice extends Pick<ErrorResult, 'recommendedAction'> {
  readonly hint: string;
  /** True if something that the call names does not exist. */
  readonly isMissing?: true;
}

interface Advice extends CliAdvice {
  readonly pattern: RegExp;
}

const nextAction = (description: string, toolName: string, action: string) => ({
  recommendedAction: { actionKind: 'CallTool' as const, description, toolName, arguments: { action } },
});
const migrations = nextAction('List the migrations.', 'dotnet_ef', 'MigrationsList');
const contexts = nextAction('List the contexts.', 'dotnet_ef', 'DbContextList');
const installed = nextAction('See which workloads are installed.', 'dotnet_workload', 'List');
const tools = nextAction('See which tools are installed here.', 'dotnet_tool', 'List');

/** Matches the messages of SDK 10 and dotnet-ef 10. */
const ADVICE: readonly Advice[] = [
  {
    pattern: /^Workload \w+ failed: Workload ID \S+ is not recognized/,
    hint: 'Check the id of the workload: dotnet_workload Search lists those that exist.',
    isMissing: true,
    ...nextAction('See which workloads exist.', 'dotnet_workload', 'Search'),
  },
  {
    pattern: /^Workload \w+ failed: Couldn't find workload ID/,
    hint: 'Only installed workloads can be uninstalled: dotnet_workload List shows them.',
    isMissing: true,
    ...installed,
  },
  {
    pattern: /^Cannot find a tool in the manifest file that has a command named /,
    hint: 'Check the name of the command: dotnet_tool List shows the tools of this folder with their commands, Install adds one.',
    isMissing: true,
    ...tools,
  },
  {
    pattern: /^(?:Cannot find a package with the package id |A tool with the package Id '[^']+' could not be found)/,
    hint: 'The tool is not installed: dotnet_tool List shows those that are, Install adds it.',
    isMissing: true,
    ...tools,
  },
  {
    pattern: /^Cannot find a manifest file/,
    hint: 'This folder has no tool manifest with that tool: dotnet_tool CreateManifest makes a manifest, Install adds the tool.',
    isMissing: true,
    ...nextAction('Create a tool manifest.', 'dotnet_tool', 'CreateManifest'),
  },
  {
    pattern: /^The name '.+' is used by an existing migration/,
    hint: 'Choose another name: dotnet_ef MigrationsList shows the names that are used.',
    ...migrations,
  },
  {
    pattern: /^The migration '.+' was not found/,
    hint: 'Check the name of the migration: dotnet_ef MigrationsList shows those that exist.',
    isMissing: true,
    ...migrations,
  },
  {
    pattern: /^The migration '.+' has already been applied/,
    hint: 'Revert the database to an earlier migration (dotnet_ef DatabaseUpdate with migration), then remove this one.',
    ...migrations,
  },
  {
    pattern: /^No DbContext (?:named|was found)/,
    hint: 'Check the context, the project and the startup project: dotnet_ef DbContextList shows the contexts that were found.',
    isMissing: true,
    ...contexts,
  },
  {
    pattern: /^More than one DbContext/,
    hint: 'Pass one of the contexts as the parameter context: dotnet_ef DbContextList lists them.',
    ...contexts,
  },
];

/** Returns the advice for a message of the CLI; undefined if there is none that is more specific than the exit code. */
export function adviceOnMessage(text: string): CliAdvice | undefined {
  const message = normalize(text);
  const found = ADVICE.find(({ pattern }) => pattern.test(message));
  if (found === undefined) return undefined;
  const { pattern: _, ...advice } = found;
  return advice;
}

/** Hints by exit code. POSIX shells exit with 126, 127, or 128 + the number of a signal. */
const EXIT_CODES: Readonly<Record<number, string>> = {
  126: 'A file that the command starts cannot be executed: check its permissions and its format.',
  127: 'A program that the command starts was not found, or the program itself ended with 127: check its name, and that it is installed and on PATH.',
  134: 'The program aborted, usually after an unhandled exception: its output names the exception.',
  137: 'The program was killed, often because the machine ran out of memory: give it more memory, or less to do.',
  139: 'The program crashed because of an invalid memory access: check the native code that it calls.',
  143: 'Another process asked the program to stop (SIGTERM): find out which one, then call again.',
};

/** Returns the hint for a failure of which only the exit code is known. */
export function exitHint(exitCode: number, hasOutput: boolean): string {
  const meaning = EXIT_CODES[exitCode];
  if (meaning !== undefined) return meaning;
  return hasOutput
    ? 'Correct the problem that the output of the command reports, then call again.'
    : `The command printed nothing: find out what exit code ${exitCode} means to the program that ended with it.`;
}
