import { statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Action, type ActionContext, type ActionResult, changed } from '../../actions/action.js';
import { options, positional } from '../../actions/cli-action.js';
import { commandFailed } from '../../actions/command-failed.js';
import { InvalidParameterError, missingParameter } from '../../actions/invalid-parameter.js';
import type { Arguments } from '../../actions/parameters.js';
import { fitValue } from '../../actions/value-kind.js';
import { counted } from '../../diagnostics/errors/diagnostic-fields.js';
import type { CommandRun } from '../../process/command-run.js';
import { projectLock, target } from './build.js';

/** One document of `dotnet format --report` (SDK 10). */
interface FormattedDocument {
  FilePath: string;
  FileChanges: { LineNumber: number; CharNumber: number; DiagnosticId: string; FormatDescription: string }[];
}

interface FormatReport {
  files: string[];
  diagnostics: { file: string; line: number; column: number; code: string; message: string }[];
}

async function readReport(folder: string): Promise<FormatReport> {
  const text = await readFile(join(folder, 'format-report.json'), 'utf8').catch(() => '[]');
  const documents = JSON.parse(text.replace(/^\uFEFF/, '')) as FormattedDocument[];
  return {
    files: [...new Set(documents.map(({ FilePath }) => FilePath))],
    diagnostics: documents.flatMap(({ FilePath, FileChanges }) =>
      FileChanges.map(({ LineNumber, CharNumber, DiagnosticId, FormatDescription }) => ({
        file: FilePath,
        line: LineNumber,
        column: CharNumber,
        code: DiagnosticId,
        message: FormatDescription,
      })),
    ),
  };
}

async function format(call: ActionContext): Promise<ActionResult> {
  const { args } = call;
  const folder = await mkdtemp(join(tmpdir(), 'mortise-format-'));
  try {
    const run = await call.dotnet(formatArguments(call), { ownArgs: ['--report', folder] });
    const { files, diagnostics } = await readReport(folder);
    // With verify nothing is written.
    const report = { [args.verify ? 'wouldChange' : 'changedFiles']: files, diagnostics };
    if (run.terminatedBy !== 'exited' || run.exitCode !== 0) throw formatFailed(run, args, files.length, report);
    const summary = files.length === 0 ? 'Nothing to format' : `Formatted ${counted(files.length, 'file')}`;
    return changed(
      summary,
      { ...target(args), ...(files.length === 0 && { changed: false }), ...report },
      { text: [summary, ...files].join('\n'), command: run.command },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function formatArguments(call: ActionContext): string[] {
  const { args } = call;
  const ids = (args.diagnostics ?? '').split(/[\s,;]+/).filter(Boolean);
  return [
    'format',
    ...positional(args.project),
    ...options(['--verify-no-changes', args.verify], ['--include-generated', args.includeGenerated]),
    ...(ids.length > 0 ? ['--diagnostics', ...ids] : []),
    ...options(['--severity', args.severity], ['--no-restore', args.noRestore]),
    ...(args.include === undefined ? [] : ['--include', ...includedFiles(call)]),
  ];
}

/** Files and folders: as a parameter they are items of any form, for a command line they are paths. */
function includedFiles({ args: { include = [] }, resolve }: Pick<ActionContext, 'args' | 'resolve'>): string[] {
  return [include].flat().map((pattern) => {
    const path = fitValue('path', pattern, 'include');
    // In a folder without a trailing slash nothing is formatted (SDK 10).
    const isFolder = statSync(resolve(path), { throwIfNoEntry: false })?.isDirectory() === true;
    return isFolder && !/[/\\]$/.test(path) ? `${path}/` : path;
  });
}

/** `dotnet format` reports a missing project with an unhandled exception (SDK 10). */
const NOT_THERE = /^Unhandled exception: System\.IO\.FileNotFoundException: (.{1,1000} does not exist\.)/m;

function formatFailed(run: CommandRun, args: Arguments, count: number, report: object): Error {
  const { project, verify } = args;
  const notThere = NOT_THERE.exec(run.output)?.[1];
  if (notThere !== undefined && project !== undefined) {
    return new InvalidParameterError('project', 'not found', notThere, { providedValue: project });
  }
  const summary = verify && count > 0 ? `${counted(count, 'file')} would be changed` : undefined;
  return commandFailed(run, {
    label: 'Format',
    partialResult: { ...target(args), ...report },
    ...(summary !== undefined && { summary }),
  });
}

export const formatAction: Action = {
  optional: ['project', 'verify', 'includeGenerated', 'diagnostics', 'severity', 'noRestore', 'include'],
  check({ include = [] }) {
    for (const path of [include].flat()) fitValue('path', path, 'include');
    if ([include].flat().some((path) => path.trim() === '')) throw missingParameter('include');
  },
  lock: projectLock('format'),
  execute: format,
};
