import type { JsonSchema } from '@mortise/plugin';
import { ROLL_FORWARD } from '../project-files/global-json.js';
import * as checks from './checks.js';
import { environmentNames } from './environment-names.js';
import { fitValue, type ValueKind } from './value-kind.js';

interface ParameterBase {
  // biome-ignore lint/suspicious/noExplicitAny: the value's type is the schema's
  readonly check?: checks.Check<any>;
  /** True for a string that may be blank. Other blank strings count as missing. */
  readonly mayBeBlank?: true;
}

/** A number, a boolean, or one of the values that the schema lists. A command cannot read such a value as an option. */
interface ClosedParameter extends ParameterBase {
  readonly schema: JsonSchema & ({ readonly type: 'boolean' | 'integer' } | { readonly enum: readonly string[] });
}

/** A text, a list of texts or a map of texts. Its kind determines the form of the texts on a command line. */
interface TextParameter extends ParameterBase {
  readonly schema: JsonSchema;
  readonly kind: ValueKind;
}

/** A parameter with its schema, and with a check for each call that uses it. */
export type Parameter = ClosedParameter | TextParameter;

/** Creates a text parameter. @param check a check in addition to those of the kind */
const text = <const K extends ValueKind>(kind: K, description: string, check?: checks.Check<string>) =>
  ({ schema: { type: 'string', description }, kind, ...(check && { check }) }) as const satisfies Parameter;

const content = (description: string) => ({ ...text('content', description), mayBeBlank: true }) as const;

const flag = (description: string) => ({ schema: { type: 'boolean', description } }) as const satisfies Parameter;

const count = (description: string, minimum: number, maximum?: number) =>
  ({
    schema: { type: 'integer', description, minimum, ...(maximum !== undefined && { maximum }) },
  }) as const satisfies Parameter & { schema: { type: 'integer' } };

const choice = <const V extends readonly string[]>(description: string, ...values: V) =>
  ({ schema: { type: 'string', enum: values, description } }) as const satisfies Parameter;

const texts = <const K extends ValueKind>(kind: K, description: string, check: checks.Check<string>) =>
  ({
    schema: { type: 'array', items: { type: 'string' }, description },
    kind,
    check: checks.listOf(check),
  }) as const satisfies Parameter;

const commandText = (description: string, check: checks.Check<string | string[]> = checks.commandLine) =>
  ({
    schema: { type: ['string', 'array'], items: { type: 'string' }, description },
    kind: 'arguments',
    check,
  }) as const satisfies Parameter;

/**
 * The parameters of the .NET tools (docs/spec/dotnet-tools.md#parameter-table). A parameter has the same name in all
 * tools. An action takes the parameters that its row names.
 */
export const PARAMETERS = {
  // Paths
  project: text('path', 'Project, solution or folder', checks.project),
  projectPath: text('path', 'Same as project', checks.project),
  solution: text('path', 'Solution file', checks.project),
  projects: texts('path', 'Project files', checks.project),
  workingDirectory: text('path', 'Folder that relative paths start at'),
  output: text('path', 'Output folder'),
  outputDir: text('path', 'Folder for generated files'),
  contextDir: text('path', 'Folder for the DbContext'),
  startupProject: text('path', 'Startup project', checks.project),
  path: text('path', 'File to write'),
  configFile: text('path', 'NuGet configuration file'),
  globalJsonPath: text('path', 'Path of global.json', checks.globalJson),
  resultsDirectory: text('path', 'Folder for test results'),
  toolPath: text('path', 'Folder to install into'),
  referencePath: text('path', 'Referenced project', checks.project),
  references: texts('path', 'Several referenced projects', checks.project),

  // Objects of the call, and filters
  template: text('name', 'Template short name'),
  name: text('name', 'Name'),
  language: text('name', 'Language: C#, F# or VB', checks.oneOf('C#', 'F#', 'VB')),
  framework: text('name', 'e.g. net10.0', checks.framework),
  configuration: text('name', 'e.g. Debug, Release', checks.configuration),
  runtime: text('name', 'e.g. linux-x64', checks.runtime),
  arch: text('name', 'Target architecture', checks.identifier),
  os: text('name', 'Target operating system', checks.identifier),
  verbosity: text('name', 'quiet, minimal, normal, detailed or diagnostic', checks.verbosity),
  properties: {
    schema: {
      type: 'object',
      description: 'MSBuild properties',
      additionalProperties: { type: ['string', 'number', 'boolean'] },
    },
    kind: 'text',
    check: checks.propertyNames,
  },
  propertyName: text('name', 'MSBuild property'),
  propertyValue: content('Its value'),
  names: texts('name', 'Several MSBuild properties', checks.propertyName),
  itemType: text('name', 'MSBuild item type, e.g. Compile'),
  include: {
    schema: { type: ['string', 'array'], items: { type: 'string' }, description: 'Include of items; files to format' },
    kind: 'content',
  },
  metadata: {
    schema: { type: 'object', description: 'Item metadata', additionalProperties: { type: 'string' } },
    kind: 'content',
  },
  environment: {
    schema: {
      type: 'object',
      description: 'Environment variables for the program',
      additionalProperties: { type: ['string', 'number', 'boolean'] },
    },
    kind: 'text',
    check: environmentNames,
  },
  launchProfile: text('line', 'Launch profile'),
  packageId: text('name', 'Package id', checks.identifier),
  packageIds: texts('name', 'Several: Id or Id@version', checks.packageWithVersion),
  version: text('name', 'Version'),
  source: text('source', 'NuGet source'),
  username: text('line', 'User name at the source'),
  credentialVariable: text('name', 'Environment variable with the password or API key', checks.variableName),
  allowInsecure: flag('Allow HTTP'),
  prerelease: flag('Prerelease versions too'),
  searchTerm: text('name', 'Search term'),
  take: count('How many results', 1, 1000),
  skip: count('Results to skip', 0),
  exactMatch: flag('Only the package of this id'),
  outdated: flag('Show newer versions'),
  deprecated: flag('Show deprecated packages'),
  vulnerable: flag('Show vulnerable packages'),
  includeTransitive: flag('Transitive packages too'),
  filter: text('text', 'Filter'),
  maxResults: count('How many to show', 1),
  cacheType: choice('Cache', 'all', 'http-cache', 'global-packages', 'temp', 'plugins-cache'),
  format: text('name', 'Format'),
  toolName: text('name', 'Command of the tool', checks.identifier),
  workloadIds: texts('name', 'Workload ids', checks.identifier),
  templateShortName: text('name', 'Template short name'),
  templatePackage: text('source', 'Package id, id@version, or path'),
  templateVersion: text('name', 'Version of the package'),
  nugetSource: text('source', 'NuGet source'),
  sdkVersion: text('name', 'SDK version', checks.sdkVersion),
  rollForward: text('name', 'Roll-forward policy', checks.globalJsonValue(ROLL_FORWARD)),
  command: text('name', 'Command words, e.g. "nuget push"'),

  // Entity Framework
  from: text('name', 'From this migration'),
  to: text('name', 'To this migration'),
  migration: text('name', 'Target migration; 0 reverts all'),
  connection: text('name', 'Connection string'),
  provider: text('name', 'Provider package'),
  context: text('name', 'DbContext class'),
  tables: text('line', 'Tables, comma separated'),
  schemas: text('line', 'Schemas, comma separated'),
  idempotent: flag('Script for any state of the database'),
  useDatabaseNames: flag('Keep database names'),
  dryRun: flag('Show what would be done'),

  // Secrets and certificates
  password: text('text', 'Password of the file'),
  noPassword: flag('PEM key without password'),
  trust: flag('Also check trust'),
  key: text('name', 'Key of the secret'),
  value: text('content', 'Value of the secret'),

  // Options of commands
  additionalOptions: commandText('More template options', checks.templateOptions),
  appArgs: commandText('Arguments of the program'),
  args: commandText('Arguments of the tool'),
  noBuild: flag('Do not build'),
  noRestore: flag('Do not restore'),
  noIncremental: flag('Rebuild all'),
  target: text('name', 'MSBuild target', checks.target),
  binlog: flag('Write msbuild.binlog'),
  selfContained: flag('Publish self-contained'),
  includeSymbols: flag('Symbols package too'),
  includeSource: flag('Sources too'),
  lockedMode: flag('Fail when the lock file is out of date'),
  force: flag('Continue without asking; overwrite'),
  global: flag('Install globally'),
  detail: flag('All versions and more'),
  interactive: flag('Let NuGet ask for credentials'),
  forceReload: flag('Read again'),
  skipManifestUpdate: flag('Keep the manifests'),
  includePreviews: flag('Previews too'),

  // Test
  collect: text('line', 'Data collector, e.g. "XPlat Code Coverage"'),
  logger: text('line', 'VSTest logger'),
  blame: flag('Find the crashing test'),
  settings: text('path', '.runsettings file'),
  blameHangSeconds: count('End the run, and name the test, if none ends for so long', 1, 86_400),
  listTests: flag('List, do not run'),
  testRunner: choice('Default: by global.json', 'Auto', 'MicrosoftTestingPlatform', 'VSTest'),
  useLegacyProjectArgument: flag('Deprecated'),

  // Format
  verify: flag('Only check'),
  includeGenerated: flag('Generated files too'),
  diagnostics: text('line', 'Diagnostic ids, separated by spaces', checks.identifiers),
  severity: text('name', 'info, warn or error', checks.oneOf('info', 'warn', 'error', 'hidden')),

  // Code
  symbol: text(
    'content',
    'Cart.Total, Shop.Cart.Total(int); several with commas, except to change; Symbols, References: Shop.* for all in it; Symbols: camel humps too',
  ),
  file: text('path', 'Source file'),
  line: count('1-based', 1),
  column: count('1-based', 1),
  kind: text('name', 'class, method, property …'),
  depth: count('Levels of callers', 1, 3),
  limit: count('Entries; default 100', 1, 1000),
  cursor: text('name', 'nextCursor of the last page'),
  code: text('name', 'Diagnostic id', checks.identifier),
  fix: text('content', 'Id or title'),
  scope: choice('Default place', 'place', 'document', 'project', 'solution'),
  newName: text('name', 'New name'),
  comments: flag('In comments and strings too'),
  apply: flag('Write; without it, preview'),
  hash: text('name', 'Of the preview: refuse if a file has changed since', checks.identifier),

  // Sessions and time limits
  watchAction: choice('Command', 'run', 'test', 'build'),
  noHotReload: flag('Restart instead of hot reload'),
  startMode: choice('Default Foreground; Watch: Background', 'Foreground', 'Background'),
  sessionId: text('content', 'Session of a background start'),
  tailLines: count('Only the last lines', 1),
  since: text('content', 'Only lines after this time (ISO 8601)', checks.timestamp),
  stream: choice('Only this stream', 'stdout', 'stderr'),
  follow: flag('Wait for more, as progress, until timeoutSeconds'),
  timeoutSeconds: count('Time limit', 1, 86_400),
  waitSeconds: count('Seconds to wait for a lock; 0: none', 0, 86_400),
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

/** The arguments of a call, which match the input schema. They contain no nulls. */
export type Arguments = { readonly action?: string } & {
  readonly [K in ParameterName]?: TypeOf<(typeof PARAMETERS)[K]['schema']>;
};

/**
 * Converts every text of the arguments to the form that its kind has on a command line.
 * @throws InvalidParameterError for a value that its kind refuses
 */
export function fitArguments(args: Arguments): Arguments {
  const entries = Object.entries(args).map(([name, value]) => {
    const parameter: Parameter | undefined = PARAMETERS[name as ParameterName];
    return [name, parameter && 'kind' in parameter ? fitAll(parameter.kind, value, name) : value];
  });
  return Object.fromEntries(entries) as Arguments;
}

function fitAll(kind: ValueKind, value: unknown, name: string): unknown {
  if (typeof value === 'string') return fitValue(kind, value, name);
  if (Array.isArray(value)) return value.map((item) => fitAll(kind, item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fitAll(kind, member, name)]));
}
