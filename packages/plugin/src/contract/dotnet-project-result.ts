import { DIAGNOSTIC, RECOMMENDED_ACTION } from './error-schemas.js';
import {
  BOOLEAN,
  closed,
  complete,
  INTEGER,
  list,
  NUMBER,
  oneOf,
  STRING,
  STRING_MAP,
  STRINGS,
  TRUE,
} from './schema-parts.js';

const TEST_ASSEMBLY = closed(
  { name: STRING, framework: STRING, passed: INTEGER, failed: INTEGER, skipped: INTEGER, durationMs: INTEGER },
  ['name', 'failed', 'skipped', 'durationMs'],
);

const TEST_FAILURE = closed(
  {
    testName: STRING,
    displayName: STRING,
    message: STRING,
    output: STRING,
    stackTrace: STRING,
    expected: STRING,
    actual: STRING,
    file: STRING,
    line: INTEGER,
  },
  ['testName', 'message'],
);

const COVERED = closed({ covered: INTEGER, total: INTEGER, percent: NUMBER }, ['covered', 'total']);

const TEST_FIELDS = {
  passed: INTEGER,
  failed: INTEGER,
  skipped: INTEGER,
  total: INTEGER,
  durationMs: INTEGER,
  firstFailures: list(TEST_FAILURE),
  failedTests: STRINGS,
  skippedTests: list(closed({ testName: STRING, reason: STRING }, ['testName'])),
  retriedTests: list(complete({ testName: STRING, passedOnTry: INTEGER })),
  untestedProjects: STRINGS,
  assemblies: list(TEST_ASSEMBLY),
  coverage: closed(
    {
      lines: COVERED,
      branches: COVERED,
      files: list(closed({ file: STRING, lines: COVERED, branches: COVERED }, ['file'])),
    },
    [],
  ),
  reports: list(complete({ kind: oneOf('coverage', 'trx', 'html', 'blame'), path: STRING })),
  tests: STRINGS,
  warning: STRING,
} as const;

const BUILD_FIELDS = {
  project: STRING,
  configuration: STRING,
  framework: STRING,
  runtime: STRING,
  target: STRING,
  errorCount: INTEGER,
  warningCount: INTEGER,
  omittedErrors: INTEGER,
  omittedWarnings: INTEGER,
  unparsedErrorCount: INTEGER,
  unparsedWarningCount: INTEGER,
  outputs: list(closed({ project: STRING, path: STRING, fileCount: INTEGER, sizeBytes: INTEGER }, ['path'])),
  binlog: STRING,
  outputPath: STRING,
  fileCount: INTEGER,
  sizeBytes: INTEGER,
  images: list(complete({ name: STRING, destination: STRING })),
  packages: list(complete({ id: STRING, version: STRING, path: STRING })),
  packagePath: STRING,
  version: STRING,
  changedFiles: STRINGS,
  wouldChange: STRINGS,
  diagnostics: list(
    closed({ file: STRING, line: INTEGER, column: INTEGER, code: STRING, message: STRING }, ['message']),
  ),
} as const;

const PROCESSES = list(closed({ pid: INTEGER, name: STRING }, ['pid']));

const SESSION_FIELDS = {
  sessionId: STRING,
  status: oneOf('running', 'exited', 'stopped'),
  exitCode: INTEGER,
  startedAt: STRING,
  endedAt: STRING,
  target: STRING,
  pid: INTEGER,
  state: STRING,
  urls: STRINGS,
} as const;

/** A session as ListSessions shows it. */
export const SESSION = closed({ ...SESSION_FIELDS, kind: oneOf('run', 'watch') }, [
  'sessionId',
  'status',
  'startedAt',
  'target',
  'kind',
]);

/** A call that this server or another one runs, or processes that still run after their call has ended. */
export const OPERATION = closed(
  {
    tool: STRING,
    action: STRING,
    operation: STRING,
    target: STRING,
    state: oneOf('waiting', 'running', 'stopping', 'cancelled', 'timed out'),
    startedAt: STRING,
    endedAt: STRING,
    processes: PROCESSES,
    ownerPid: INTEGER,
    ownerHost: STRING,
  },
  ['target', 'state', 'startedAt'],
);

const RUN_FIELDS = {
  ...SESSION_FIELDS,
  stdout: STRING,
  stderr: STRING,
  note: STRING,
  lines: list(complete({ at: STRING, stream: oneOf('stdout', 'stderr'), text: STRING })),
  truncated: BOOLEAN,
  sessions: list(SESSION),
  operations: list(OPERATION),
} as const;

const PACKAGE_REFERENCE = closed(
  {
    name: STRING,
    version: STRING,
    includeAssets: STRING,
    privateAssets: STRING,
    excludeAssets: STRING,
    isImplicit: TRUE,
    frameworks: STRINGS,
  },
  ['name'],
);
const PROJECT_REFERENCE = closed({ name: STRING, path: STRING, frameworks: STRINGS }, ['name', 'path']);

const PROPERTY_VALUE = {
  propertyName: STRING,
  propertyValue: STRING,
  isSet: BOOLEAN,
  valuesByFramework: STRING_MAP,
  file: STRING,
  line: INTEGER,
} as const;

const ITEM = closed({ itemType: STRING, include: STRING, metadata: STRING_MAP, frameworks: STRINGS }, [
  'itemType',
  'include',
  'metadata',
]);

const QUERY_FIELDS = {
  projectPath: STRING,
  projectName: STRING,
  sdk: STRING,
  targetFrameworks: STRINGS,
  outputType: STRING,
  packageReferences: list(PACKAGE_REFERENCE),
  projectReferences: list(PROJECT_REFERENCE),
  buildProperties: { type: 'object', additionalProperties: { type: ['string', 'boolean', 'number'] } },
  analyzers: list(closed({ path: STRING, frameworks: STRINGS }, ['path'])),
  implicitUsings: STRING,
  nullable: STRING,
  langVersion: STRING,
  restored: BOOLEAN,
  recommendedAction: RECOMMENDED_ACTION,
  directPackageDependencies: list(PACKAGE_REFERENCE),
  directProjectDependencies: list(PROJECT_REFERENCE),
  totalDirectDependencies: INTEGER,
  notes: STRINGS,
  isValid: BOOLEAN,
  recommendations: STRINGS,
  ...PROPERTY_VALUE,
  values: list(closed({ ...PROPERTY_VALUE, note: STRING }, ['propertyName', 'propertyValue', 'isSet'])),
  properties: STRING_MAP,
  names: STRINGS,
  includes: STRINGS,
  removed: BOOLEAN,
  itemType: STRING,
  include: STRING,
  count: INTEGER,
  items: list(ITEM),
} as const;

const TEMPLATE_FIELDS = {
  template: STRING,
  name: STRING,
  createdFiles: STRINGS,
  options: list(
    closed({ name: STRING, alias: STRING, type: STRING, values: STRINGS, default: STRING, description: STRING }, [
      'name',
      'description',
    ]),
  ),
} as const;

/** `errors` and `warnings` of Validate are sentences; `warnings` of a build are diagnostics. */
export const DOTNET_PROJECT = {
  ...BUILD_FIELDS,
  ...TEST_FIELDS,
  ...RUN_FIELDS,
  ...QUERY_FIELDS,
  ...TEMPLATE_FIELDS,
  warnings: { type: 'array', items: { anyOf: [DIAGNOSTIC, STRING] } },
} as const;
