import type { Action } from '../../actions/action.js';
import { msbuildOptions, positional } from '../../actions/cli-action.js';
import type { DotnetTool } from '../../actions/dotnet-tool.js';
import { DESTRUCTIVE } from '../shared/annotations.js';
import { analysisActions } from './analysis.js';
import { buildAction, buildVerbAction, propertyOptions } from './build.js';
import { convertAction } from './convert.js';
import { formatAction } from './format.js';
import { itemActions } from './items.js';
import { tellingRewrites } from './locked-restore.js';
import { listTemplateOptionsAction, newAction } from './new.js';
import { propertyActions } from './properties.js';
import { packAction, publishAction } from './publish-pack.js';
import { runAction } from './run.js';
import { sessionActions } from './sessions.js';
import { testAction } from './test.js';
import { watchAction } from './watch.js';

const restore = buildVerbAction({
  label: 'Restore',
  optional: ['project', 'verbosity', 'source', 'lockedMode', 'configFile', 'force', 'properties'],
  progress: ['Restoring packages...', 'Restore complete'],
  commandArgs: (args) => [
    'restore',
    ...positional(args.project),
    ...msbuildOptions(
      ['-v', args.verbosity],
      ['--source', args.source],
      ['--locked-mode', args.lockedMode],
      ['--configfile', args.configFile],
      ['--force', args.force],
    ),
    ...propertyOptions(args),
  ],
});

const restoreAction: Action = { ...restore, execute: tellingRewrites(restore.execute) };

const cleanAction = buildVerbAction({
  label: 'Clean',
  optional: ['project', 'configuration', 'framework', 'verbosity', 'properties'],
  progress: ['Cleaning output directories...', 'Clean complete'],
  confirm: { question: ({ project }) => `Delete the build outputs${project ? ` of ${project}` : ''}?` },
  commandArgs: (args) => [
    'clean',
    ...positional(args.project),
    ...msbuildOptions(['-c', args.configuration], ['-f', args.framework], ['-v', args.verbosity]),
    ...propertyOptions(args),
  ],
});

/** The actions, in the order of docs/spec/dotnet-commands.md#project-actions. */
const actions: Record<string, Action> = {
  New: newAction,
  Convert: convertAction,
  Restore: restoreAction,
  Build: buildAction,
  Run: runAction,
  Test: testAction,
  Publish: publishAction,
  Clean: cleanAction,
  ...analysisActions,
  Pack: packAction,
  Watch: watchAction,
  Format: formatAction,
  ...sessionActions,
  ListTemplateOptions: listTemplateOptionsAction,
  ...propertyActions,
  ...itemActions,
};

export const projectTool: DotnetTool = {
  name: 'dotnet_project',
  title: '.NET Project',
  description:
    'A .NET project or solution: create, restore, build, run, test, publish, pack, clean, format, watch; programs in the background (Logs, Stop, ListSessions); read and edit project files (Analyze, properties, items).',
  annotations: DESTRUCTIVE,
  actions,
  common: ['workingDirectory', 'timeoutSeconds'],
  namesActions: true,
  describes: { filter: 'Test filter, e.g. FullyQualifiedName~Name', name: 'Name of the project' },
  // Members that repeat an argument, and the numbers of entries that lists omit, are not declared.
  output: {
    summary: 'string',
    changed: 'boolean',
    errorCount: 'integer',
    warningCount: 'integer',
    warnings: 'array',
    outputs: 'array',
    binlog: 'string',
    warning: 'string',
    passed: 'integer',
    failed: 'integer',
    skipped: 'integer',
    total: 'integer',
    durationMs: 'integer',
    firstFailures: 'array',
    failedTests: 'array',
    skippedTests: 'array',
    retriedTests: 'array',
    untestedProjects: 'array',
    assemblies: 'array',
    coverage: 'object',
    reports: 'array',
    tests: 'array',
    stdout: 'string',
    stderr: 'string',
    sessionId: 'string',
    pid: 'integer',
    target: 'string',
    status: 'string',
    startedAt: 'string',
    endedAt: 'string',
    lines: 'array',
    truncated: 'boolean',
    sessions: 'array',
    operations: 'array',
    urls: 'array',
    outputPath: 'string',
    packages: 'array',
    packagePath: 'string',
    version: 'string',
    createdFiles: 'array',
    changedFiles: 'array',
    wouldChange: 'array',
    diagnostics: 'array',
    isValid: 'boolean',
    name: 'string',
    options: 'array',
    values: 'array',
    isSet: 'boolean',
    note: 'string',
    removed: 'boolean',
    items: 'array',
    restored: 'boolean',
  },
};
