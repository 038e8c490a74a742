import { DIAGNOSTIC, RECOMMENDED_ACTION } from './error-schemas.js';
import { BOOLEAN, closed, complete, INTEGER, list, NUMBER, oneOf, partial, STRING, STRINGS } from './schema-parts.js';

/*
 * The data of results of the .NET tools, except `dotnet_project` and `dotnet_code`, which have files of their own. After
 * a change, set CONTRACT_VERSION in contract-schema.ts as docs/spec/contract.md#compatibility says, and run
 * `npm run generate`.
 */

const LISTED_PACKAGE = {
  name: STRING,
  requestedVersion: STRING,
  resolvedVersion: STRING,
  latestVersion: STRING,
  framework: STRING,
  transitive: { const: true },
  deprecation: closed({ reasons: STRINGS, alternative: closed({ name: STRING, versionRange: STRING }, ['name']) }, [
    'reasons',
  ]),
  vulnerabilities: list(complete({ severity: STRING, advisoryUrl: STRING })),
  declaredAt: STRINGS,
} as const;

/** An entry of `packages` in the results of List, Audit and Search, and of calls that change several packages. */
const PACKAGE = partial({
  ...LISTED_PACKAGE,
  project: STRING,
  id: STRING,
  version: STRING,
  owners: STRING,
  totalDownloads: INTEGER,
  description: STRING,
  packageId: STRING,
  previousVersion: STRING,
  changed: BOOLEAN,
  note: STRING,
  warnings: list(DIAGNOSTIC),
});

export const DOTNET_PACKAGE = {
  packages: list(PACKAGE),
  projects: list(
    closed({ project: STRING, framework: STRING, packages: list(closed(LISTED_PACKAGE, ['name'])) }, ['packages']),
  ),
  packageId: STRING,
  version: STRING,
  previousVersion: STRING,
  project: STRING,
  note: STRING,
  updates: list(
    closed({ packageId: STRING, previousVersion: STRING, version: STRING, projects: STRINGS }, [
      'packageId',
      'version',
    ]),
  ),
  affectedProjects: STRINGS,
  problems: STRINGS,
  restored: BOOLEAN,
  recommendedAction: RECOMMENDED_ACTION,
  sources: {
    type: 'array',
    items: { anyOf: [STRING, closed({ name: STRING, source: STRING, enabled: BOOLEAN }, ['name', 'source'])] },
  },
  references: STRINGS,
  referencePath: STRING,
  cacheType: STRING,
  cleared: STRINGS,
  paths: list(
    closed(
      {
        project: STRING,
        frameworks: STRINGS,
        packages: list(closed({ name: STRING, version: STRING, requested: STRING }, ['name'])),
      },
      ['packages'],
    ),
  ),
  name: STRING,
  source: STRING,
  path: STRING,
  pushed: STRINGS,
  errorCount: INTEGER,
  warningCount: INTEGER,
} as const;

const FRAMEWORK = {
  tfm: STRING,
  description: STRING,
  version: STRING,
  isLts: BOOLEAN,
  isModernNet: BOOLEAN,
  isNetCore: BOOLEAN,
  isNetFramework: BOOLEAN,
  isNetStandard: BOOLEAN,
} as const;
const FRAMEWORKS = list(closed(FRAMEWORK, ['tfm']));

const TEMPLATE_PARAMETER = closed(
  { name: STRING, description: STRING, dataType: STRING, defaultValue: STRING, choices: STRINGS },
  ['name'],
);
const TEMPLATE = { name: STRING, shortNames: STRINGS, languages: STRINGS, type: STRING } as const;

export const DOTNET_SDK = {
  commit: STRING,
  rid: STRING,
  os: STRING,
  basePath: STRING,
  sdks: list(complete({ version: STRING, path: STRING })),
  runtimes: list(complete({ name: STRING, version: STRING, path: STRING })),
  templates: list(closed({ ...TEMPLATE, author: STRING, package: STRING, description: STRING }, ['name'])),
  template: closed({ ...TEMPLATE, author: STRING, description: STRING, parameters: list(TEMPLATE_PARAMETER) }, [
    'name',
  ]),
  templatePacks: list(closed({ id: STRING, version: STRING }, ['id'])),
  templatePackage: STRING,
  note: STRING,
  ...FRAMEWORK,
  modernFrameworks: FRAMEWORKS,
  netCoreFrameworks: FRAMEWORKS,
  netStandardFrameworks: FRAMEWORKS,
  latestRecommended: STRING,
  latestLts: STRING,
  caches: {
    type: 'object',
    additionalProperties: complete({ hits: INTEGER, misses: INTEGER, hitRatio: NUMBER }),
  },
  path: STRING,
  globalJson: { type: 'object' },
  globalJsonPath: STRING,
} as const;

export const DOTNET_SOLUTION = {
  solution: STRING,
  projects: {
    type: 'array',
    items: {
      anyOf: [
        STRING,
        closed(
          {
            name: STRING,
            path: STRING,
            sdk: STRING,
            outputType: STRING,
            isTestProject: BOOLEAN,
            targetFrameworks: STRINGS,
            packageCount: INTEGER,
            packages: list(closed({ name: STRING, version: STRING }, ['name'])),
            projectReferenceCount: INTEGER,
            restored: BOOLEAN,
          },
          ['name', 'path'],
        ),
      ],
    },
  },
  references: list(complete({ from: STRING, to: STRING })),
  sharedPackages: list(complete({ name: STRING, versions: list(complete({ version: STRING, projects: STRINGS })) })),
  packageCount: INTEGER,
  isValid: BOOLEAN,
  issues: list(
    closed(
      { severity: oneOf('error', 'warning', 'recommendation'), projects: STRINGS, code: STRING, message: STRING },
      ['severity', 'projects', 'message'],
    ),
  ),
  leftOver: STRING,
  note: STRING,
  recommendedAction: RECOMMENDED_ACTION,
} as const;

export const DOTNET_EF = {
  migrationName: STRING,
  migrations: list(closed({ id: STRING, name: STRING, applied: BOOLEAN }, ['id'])),
  migrationsApplied: STRINGS,
  migrationsReverted: STRINGS,
  contexts: { type: 'array', items: { type: 'object' } },
  script: STRING,
  scriptPath: STRING,
  files: STRINGS,
  errorCount: INTEGER,
  warningCount: INTEGER,
} as const;

const TOOL = partial({
  packageId: STRING,
  version: STRING,
  commands: STRINGS,
  manifest: STRING,
  authors: STRING,
  downloads: INTEGER,
  verified: BOOLEAN,
});

export const DOTNET_TOOL = {
  packageId: STRING,
  version: STRING,
  previousVersion: STRING,
  manifest: STRING,
  path: STRING,
  tools: { type: 'array', items: { anyOf: [STRING, TOOL] } },
  toolName: STRING,
  exitCode: INTEGER,
  stdout: STRING,
  stderr: STRING,
} as const;

export const DOTNET_WORKLOAD = {
  workloads: list(
    closed({ id: STRING, manifestVersion: STRING, installationSource: STRING, description: STRING }, ['id']),
  ),
  workloadVersion: STRING,
  workloadIds: STRINGS,
} as const;

export const DOTNET_DEV_CERTS = {
  valid: BOOLEAN,
  trusted: BOOLEAN,
  path: STRING,
  format: STRING,
  hasKey: BOOLEAN,
  note: STRING,
  userSecretsId: STRING,
  key: STRING,
  secrets: list(complete({ key: STRING, value: STRING })),
} as const;

const HELP_ENTRIES = list(closed({ name: STRING, description: STRING }, ['name']));

export const DOTNET_HELP = {
  command: STRING,
  description: STRING,
  usage: STRING,
  arguments: HELP_ENTRIES,
  options: HELP_ENTRIES,
  commands: HELP_ENTRIES,
} as const;

const FLAGS = { type: 'object', additionalProperties: BOOLEAN } as const;

export const DOTNET_SERVER_CAPABILITIES = {
  serverVersion: STRING,
  protocolVersion: STRING,
  supportedCategories: STRINGS,
  supports: FLAGS,
  sdkVersions: complete({ installed: STRINGS, recommended: STRING, lts: STRING }),
} as const;

export const DOTNET_SERVER_INFO = {
  name: STRING,
  version: STRING,
  tools: STRINGS,
  timeoutMs: INTEGER,
  lockWaitMs: INTEGER,
  maxOutputBytes: INTEGER,
  sessions: { type: 'object', additionalProperties: INTEGER },
} as const;

export const DOTNET_SERVER_METRICS = {
  toolMetrics: {
    type: 'object',
    additionalProperties: complete({
      invocationCount: INTEGER,
      avgDurationMs: NUMBER,
      successCount: INTEGER,
      failureCount: INTEGER,
      resultChars: INTEGER,
    }),
  },
  totalInvocations: INTEGER,
  totalSuccesses: INTEGER,
  totalFailures: INTEGER,
  tokenSavingsEnabled: BOOLEAN,
  since: STRING,
  counted: STRING,
  message: STRING,
} as const;
