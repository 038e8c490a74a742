import { type Action, type ActionResult, changed } from '../actions/action.js';
import { type Option, options, positional } from '../actions/cli-action.js';
import type { DotnetTool } from '../actions/dotnet-tool.js';
import type { Arguments, ParameterName } from '../actions/parameters.js';
import { lockTargetFor } from '../locks/lock-target.js';
import { ef } from './ef-command.js';
import { type EfOutput, listOf, textOf } from './ef-output.js';
import { DESTRUCTIVE } from './shared/annotations.js';

const PREFIXED = ['--prefix-output'];

const WHERE: readonly ParameterName[] = ['project', 'startupProject', 'context', 'framework'];

const where = (args: Arguments): Option[] => [
  ['--project', args.project],
  ['--startup-project', args.startupProject],
  ['--context', args.context],
];
const framework = (args: Arguments): Option => ['--framework', args.framework];
const noBuild = (args: Arguments): Option => ['--no-build', args.noBuild];

/** Returns the result of a change. Its text has the files and the output of dotnet-ef below the summary. */
function done(summary: string, output: EfOutput, data: object, files: readonly string[] = []): ActionResult {
  const text = [summary, ...files, output.text].filter(Boolean).join('\n');
  return changed(summary, data, { text });
}

const writes: Action['lock'] = {
  operation: 'ef',
  targets: ({ args, cwd }) => [lockTargetFor(args.project, cwd)],
};

const MIGRATION_APPLIED = /^Applying migration '(.+)'\.$/gm;
const MIGRATION_REVERTED = /^Reverting migration '(.+)'\.$/gm;

const migrationNames = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, name]) => name!);

const split = (list: string | undefined) =>
  (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

const MIGRATION_FILES = ['migrationFile', 'metadataFile', 'snapshotFile'];

const actions: Record<string, Action> = {
  MigrationsAdd: {
    required: ['name'],
    optional: [...WHERE, 'outputDir'],
    lock: writes,
    execute: ef({
      commandArgs: (args) => [
        ...['ef', 'migrations', 'add', args.name!],
        ...options(...where(args), ['--output-dir', args.outputDir], framework(args)),
      ],
      answer: (output, _run, { args }) => {
        const files = MIGRATION_FILES.flatMap((member) => textOf(output.json, member) ?? []);
        return done(`Migration '${args.name}' added`, output, { migrationName: args.name, files }, files);
      },
    }),
  },
  MigrationsList: {
    optional: [...WHERE, 'connection', 'noBuild'],
    isReadOnly: false,
    lists: 'migrations',
    execute: ef({
      commandArgs: (args) => [
        ...['ef', 'migrations', 'list'],
        ...options(...where(args), framework(args), ['--connection', args.connection], noBuild(args)),
      ],
      answer: ({ json, text }) => {
        const migrations = listOf(json).map(({ id, name, applied }) => ({
          id,
          name,
          ...(typeof applied === 'boolean' && { applied }),
        }));
        const lines = migrations.map(({ id, applied }) => `${id}${applied === false ? ' (Pending)' : ''}`);
        const listed = lines.length > 0 ? lines : ['There are no migrations'];
        return { data: { migrations }, text: [...listed, text].filter(Boolean).join('\n') };
      },
    }),
  },
  MigrationsRemove: {
    optional: [...WHERE, 'force', 'noBuild'],
    lock: writes,
    execute: ef({
      commandArgs: (args) => [
        ...['ef', 'migrations', 'remove'],
        ...options(...where(args), framework(args), ['--force', args.force], noBuild(args)),
      ],
      nothing: { pattern: /^No ModelSnapshot was found/m, summary: 'There is no migration to remove' },
      answer: (output) => {
        const files = MIGRATION_FILES.flatMap((member) => textOf(output.json, member) ?? []);
        const migrationName = /[Rr]emoving migration '(.+)'/.exec(output.text)?.[1];
        return done('Migration removed', output, { ...(migrationName && { migrationName }), files });
      },
    }),
  },
  MigrationsScript: {
    optional: [...WHERE, 'from', 'to', 'output', 'idempotent', 'noBuild'],
    isReadOnly: false,
    execute: ef({
      form: PREFIXED,
      commandArgs: (args) => [
        ...['ef', 'migrations', 'script'],
        ...positional(args.from ?? (args.to === undefined ? undefined : '0')),
        ...positional(args.to),
        ...options(
          ['--output', args.output],
          ...where(args),
          framework(args),
          ['--idempotent', args.idempotent],
          noBuild(args),
        ),
      ],
      answer(output, _run, { args, resolve }) {
        const { data: script } = output;
        if (args.output === undefined) return { data: { script }, text: script };
        return done(`Script written to ${args.output}`, output, { scriptPath: resolve(args.output) });
      },
    }),
  },
  DatabaseUpdate: {
    optional: [...WHERE, 'migration', 'connection', 'noBuild'],
    lock: writes,
    execute: ef({
      form: PREFIXED,
      commandArgs: (args) => [
        ...['ef', 'database', 'update', ...positional(args.migration)],
        ...options(...where(args), framework(args), ['--connection', args.connection], noBuild(args)),
      ],
      answer(output) {
        const migrationsApplied = migrationNames(MIGRATION_APPLIED, output.text);
        const migrationsReverted = migrationNames(MIGRATION_REVERTED, output.text);
        const isChanged = migrationsApplied.length + migrationsReverted.length > 0;
        return done(isChanged ? 'Database updated' : 'Database is up to date already', output, {
          ...(!isChanged && { changed: false }),
          migrationsApplied,
          ...(migrationsReverted.length > 0 && { migrationsReverted }),
        });
      },
    }),
  },
  DatabaseDrop: {
    optional: [...WHERE, 'force', 'dryRun'],
    lock: writes,
    confirm: {
      question: ({ dryRun, context }) =>
        dryRun ? undefined : `Delete the whole database${context ? ` of the context ${context}` : ''}?`,
      needsForce: true,
    },
    execute: ef({
      form: PREFIXED,
      commandArgs: (args) => [
        ...['ef', 'database', 'drop'],
        ...options(
          ...where(args),
          framework(args),
          ['--force', args.force ?? !args.dryRun],
          ['--dry-run', args.dryRun],
        ),
      ],
      answer(output, _run, { args }) {
        const isAbsent = /did not exist/i.test(output.text);
        if (args.dryRun) return done('Dry run: nothing was dropped', output, { changed: false });
        return done(isAbsent ? 'There was no database to drop' : 'Database dropped', output, {
          ...(isAbsent && { changed: false }),
        });
      },
    }),
  },
  DbContextList: {
    optional: ['project', 'startupProject', 'framework', 'noBuild'],
    isReadOnly: false,
    execute: ef({
      commandArgs: (args) => [
        ...['ef', 'dbcontext', 'list'],
        ...options(
          ['--project', args.project],
          ['--startup-project', args.startupProject],
          framework(args),
          noBuild(args),
        ),
      ],
      answer({ json, text }) {
        const contexts = listOf(json).map(({ fullName, safeName, name, assemblyQualifiedName }) => ({
          name: fullName ?? name ?? safeName,
          ...(typeof assemblyQualifiedName === 'string' && { assemblyQualifiedName }),
        }));
        return { data: { contexts }, text: [...contexts.map(({ name }) => name), text].filter(Boolean).join('\n') };
      },
    }),
  },
  DbContextInfo: {
    optional: [...WHERE, 'noBuild'],
    isReadOnly: false,
    execute: ef({
      commandArgs: (args) => [
        ...['ef', 'dbcontext', 'info'],
        ...options(...where(args), framework(args), noBuild(args)),
      ],
      answer({ json, text }) {
        const context = typeof json === 'object' && json !== null ? json : {};
        const lines = Object.entries(context).map(([name, value]) => `${name}: ${String(value)}`);
        return { data: { contexts: [context] }, text: [...lines, text].filter(Boolean).join('\n') };
      },
    }),
  },
  DbContextScaffold: {
    required: ['connection', 'provider'],
    optional: [
      ...['project', 'startupProject', 'framework', 'outputDir', 'contextDir', 'tables', 'schemas'],
      ...['useDatabaseNames', 'force', 'noBuild', 'context'],
    ] as ParameterName[],
    lock: writes,
    execute: ef({
      commandArgs: (args) => [
        ...['ef', 'dbcontext', 'scaffold', args.connection!, args.provider!],
        ...options(
          ['--project', args.project],
          ['--startup-project', args.startupProject],
          ['--context', args.context],
          ['--output-dir', args.outputDir],
          ['--context-dir', args.contextDir],
          framework(args),
          ...split(args.tables).map((table): Option => ['--table', table]),
          ...split(args.schemas).map((schema): Option => ['--schema', schema]),
          ['--use-database-names', args.useDatabaseNames],
          ['--force', args.force],
          noBuild(args),
        ),
      ],
      answer(output) {
        const entities = (output.json as { entityTypeFiles?: unknown } | undefined)?.entityTypeFiles;
        const files = [textOf(output.json, 'contextFile'), ...(Array.isArray(entities) ? entities : [])];
        return done('Context and entities generated', output, { files: files.filter(Boolean) });
      },
    }),
  },
};

export const efTool: DotnetTool = {
  name: 'dotnet_ef',
  title: 'Entity Framework Core',
  description:
    'Entity Framework Core: add, list, remove and script migrations, update or drop the database, list and scaffold contexts. Needs the tool dotnet-ef.',
  annotations: DESTRUCTIVE,
  actions,
  common: ['workingDirectory', 'timeoutSeconds', 'environment'],
  output: {
    summary: 'string',
    changed: 'boolean',
    migrationName: 'string',
    migrations: 'array',
    migrationsApplied: 'array',
    migrationsReverted: 'array',
    contexts: 'array',
    script: 'string',
    scriptPath: 'string',
    files: 'array',
  },
  describes: { name: 'Name of the migration', output: 'SQL file', context: 'DbContext class' },
};
