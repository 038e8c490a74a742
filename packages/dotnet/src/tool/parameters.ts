import type { JsonSchema } from '@mortise/plugin';
import * as checks from './checks.js';

/** A parameter: what its schema says, and what is checked beyond it once an action takes it. */
export interface Parameter {
  readonly schema: JsonSchema;
  // biome-ignore lint/suspicious/noExplicitAny: the value's type is the schema's
  readonly check?: checks.Check<any>;
  /** A string that may be blank; others count as missing then. */
  readonly mayBeBlank?: true;
}

const text = (description: string, check: checks.Check<string> = checks.plain) =>
  ({ schema: { type: 'string', description }, check }) as const satisfies Parameter;

const free = (description: string) =>
  ({ schema: { type: 'string', description }, check: checks.anyText, mayBeBlank: true }) as const satisfies Parameter;

const flag = (description: string) => ({ schema: { type: 'boolean', description } }) as const satisfies Parameter;

const count = (description: string, minimum: number, maximum?: number) =>
  ({
    schema: { type: 'integer', description, minimum, ...(maximum !== undefined && { maximum }) },
  }) as const satisfies Parameter & { schema: { type: 'integer' } };

const choice = <const V extends readonly string[]>(description: string, ...values: V) =>
  ({ schema: { type: 'string', enum: values, description } }) as const satisfies Parameter;

const texts = (description: string, check: checks.Check<string>) =>
  ({
    schema: { type: 'array', items: { type: 'string' }, description },
    check: checks.each(check),
  }) as const satisfies Parameter;

const words = (description: string) =>
  ({
    schema: { type: ['string', 'array'], items: { type: 'string' }, description },
    check: checks.commandLine,
  }) as const satisfies Parameter;

/** Every parameter of the twelve tools, under the name that it has in all of them (dotnet-tools.md). */
export const PARAMETERS = {
  // Where
  project: text('Project, solution or folder', checks.project),
  projectPath: text('Project file', checks.project),
  solution: text('Solution file', checks.project),
  projects: texts('Project files', checks.project),
  workingDirectory: text('Folder that relative paths start at'),
  output: text('Output folder'),
  outputDir: text('Folder for generated files'),
  contextDir: text('Folder for the DbContext'),
  startupProject: text('Startup project', checks.project),
  path: text('File to write'),
  configFile: text('NuGet configuration file'),
  globalJsonPath: text('Path of global.json'),
  resultsDirectory: text('Folder for test results'),
  toolPath: text('Folder to install into'),
  referencePath: text('Referenced project', checks.project),

  // What
  template: text('Template short name', checks.plain),
  name: text('Name'),
  language: text('Language: C#, F# or VB', checks.oneOf('C#', 'F#', 'VB')),
  framework: text('Target framework, e.g. net10.0', checks.framework),
  configuration: text('e.g. Debug, Release', checks.configuration),
  runtime: text('Runtime identifier, e.g. linux-x64', checks.runtime),
  arch: text('Target architecture', checks.identifier),
  os: text('Target operating system', checks.identifier),
  verbosity: text('quiet, minimal, normal, detailed or diagnostic', checks.verbosity),
  properties: {
    schema: {
      type: 'object',
      description: 'MSBuild properties',
      additionalProperties: { type: ['string', 'number', 'boolean'] },
    },
    check: checks.propertyNames,
  },
  propertyName: text('MSBuild property'),
  propertyValue: free('Its value'),
  itemType: text('MSBuild item type, e.g. Compile'),
  include: text('Include of the item', checks.anyText),
  metadata: {
    schema: { type: 'object', description: 'Item metadata', additionalProperties: { type: 'string' } },
  },
  launchProfile: text('Launch profile'),
  packageId: text('Package id', checks.identifier),
  version: text('Version'),
  source: text('NuGet source'),
  prerelease: flag('Prerelease versions too'),
  searchTerm: text('Search term'),
  take: count('How many results', 1, 1000),
  skip: count('Results to skip', 0),
  exactMatch: flag('Only the package of this id'),
  outdated: flag('Show newer versions'),
  deprecated: flag('Show deprecated packages'),
  vulnerable: flag('Show vulnerable packages'),
  includeTransitive: flag('Transitive packages too'),
  filter: text('Filter', checks.anyText),
  maxResults: count('How many to show', 1),
  cacheType: choice('Cache', 'all', 'http-cache', 'global-packages', 'temp', 'plugins-cache'),
  format: text('Format'),
  toolName: text('Command of the tool', checks.identifier),
  workloadIds: texts('Workload ids', checks.identifier),
  templateShortName: text('Template short name'),
  templatePackage: text('Package id, id@version, or path'),
  templateVersion: text('Version of the package'),
  nugetSource: text('NuGet source'),
  sdkVersion: text('SDK version'),
  rollForward: text('Roll-forward policy'),
  command: text('Command words, e.g. "nuget push"', checks.anyText),

  // Entity Framework
  from: text('From this migration'),
  to: text('To this migration'),
  migration: text('Target migration; 0 reverts all'),
  connection: text('Connection string', checks.anyText),
  provider: text('Provider package'),
  context: text('DbContext class'),
  tables: text('Tables, comma separated'),
  schemas: text('Schemas, comma separated'),
  idempotent: flag('Script for any state of the database'),
  useDatabaseNames: flag('Keep database names'),
  dryRun: flag('Show what would be done'),

  // Secrets and certificates
  password: text('Password of the file', checks.anyText),
  noPassword: flag('PEM key without password'),
  trust: flag('Check trust too'),
  key: text('Key of the secret'),
  value: text('Value of the secret', checks.anyText),

  // How
  additionalOptions: words('More template options'),
  appArgs: words('Arguments of the program'),
  args: words('Arguments of the tool'),
  noBuild: flag('Do not build'),
  noRestore: flag('Do not restore'),
  noIncremental: flag('Rebuild all'),
  selfContained: flag('With the runtime, or without'),
  includeSymbols: flag('Symbols package too'),
  includeSource: flag('Sources too'),
  lockedMode: flag('Fail when the lock file is out of date'),
  force: flag('Go on without asking; overwrite'),
  global: flag('For the user, not the folder'),
  detail: flag('All versions and more'),
  interactive: flag('Let NuGet ask for credentials'),
  forceReload: flag('Read again'),
  skipManifestUpdate: flag('Keep the manifests'),
  includePreviews: flag('Previews too'),

  // Test
  collect: text('Data collector, e.g. "XPlat Code Coverage"', checks.plain),
  logger: text('VSTest logger', checks.plain),
  blame: flag('Find the test that crashes'),
  listTests: flag('List tests, run none'),
  testRunner: choice('Default: by global.json', 'Auto', 'MicrosoftTestingPlatform', 'VSTest'),
  useLegacyProjectArgument: flag('Deprecated: VSTest, project as positional argument'),

  // Format
  verify: flag('Only check'),
  includeGenerated: flag('Generated files too'),
  diagnostics: text('Diagnostic ids, separated by spaces', checks.plain),
  severity: text('info, warn or error', checks.oneOf('info', 'warn', 'error', 'hidden')),

  // Background
  watchAction: text('run, test or build', checks.oneOf('run', 'test', 'build')),
  noHotReload: flag('Restart instead of hot reload'),
  startMode: choice('Default Foreground; Watch: Background', 'Foreground', 'Background'),
  sessionId: text('Session of a background start'),
  tailLines: count('Only the last lines', 1),
  since: text('Only lines after this time (ISO 8601)', checks.timestamp),
  stream: choice('Only this stream', 'stdout', 'stderr'),
  follow: flag('Wait for more, as progress, until timeoutSeconds'),
  timeoutSeconds: count('Time limit', 1, 86_400),
} as const satisfies Record<string, Parameter>;

export type ParameterName = keyof typeof PARAMETERS;

type TypeOf<S> = S extends { readonly type: readonly string[] }
  ? string | string[]
  : S extends { readonly enum: readonly (infer V)[] }
    ? V
    : S extends { readonly type: 'string' }
      ? string
      : S extends { readonly type: 'integer' }
        ? number
        : S extends { readonly type: 'boolean' }
          ? boolean
          : S extends { readonly type: 'array' }
            ? string[]
            : S extends { readonly type: 'object' }
              ? Record<string, string | number | boolean>
              : never;

/** The arguments of a call, as the schema let them through. Absent is absent: there are no nulls. */
export type Arguments = { readonly action?: string } & {
  readonly [K in ParameterName]?: TypeOf<(typeof PARAMETERS)[K]['schema']>;
};
