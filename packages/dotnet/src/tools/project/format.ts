import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandRun } from '../../process/command-run.js';
import { type Action, type ActionCall, type Answer, changed } from '../../tool/action.js';
import { options, positional, runCli } from '../../tool/cli.js';
import { projectLock, target } from './build.js';

/** One document of `dotnet format --report` (SDK 10). */
interface FormattedDocument {
  FilePath: string;
  FileChanges: { LineNumber: number; CharNumber: number; DiagnosticId: string; FormatDescription: string }[];
}

interface FormatReport {
  changedFiles: string[];
  diagnostics: { file: string; line: number; column: number; code: string; message: string }[];
}

async function readReport(folder: string): Promise<FormatReport> {
  const text = await readFile(join(folder, 'format-report.json'), 'utf8').catch(() => '[]');
  const documents = JSON.parse(text.replace(/^\uFEFF/, '')) as FormattedDocument[];
  return {
    changedFiles: [...new Set(documents.map(({ FilePath }) => FilePath))],
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

async function format(call: ActionCall): Promise<Answer> {
  const { args } = call;
  const folder = await mkdtemp(join(tmpdir(), 'mortise-format-'));
  try {
    const run = await formatRun(call, folder);
    const report = await readReport(folder);
    const count = report.changedFiles.length;
    const summary = count === 0 ? 'Nothing to format' : `Formatted ${count} ${count === 1 ? 'file' : 'files'}`;
    const data = { ...target(args), ...(count === 0 && { changed: false }), ...report };
    return changed(summary, data, {
      text: [summary, ...report.changedFiles].join('\n'),
      command: run.command,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function formatRun(call: ActionCall, folder: string): Promise<CommandRun> {
  const { args } = call;
  const ids = (args.diagnostics ?? '').split(/[\s,;]+/).filter(Boolean);
  const argv = () => [
    'format',
    ...positional(args.project),
    ...options(['--verify-no-changes', args.verify], ['--include-generated', args.includeGenerated]),
    ...(ids.length > 0 ? ['--diagnostics', ...ids] : []),
    ...options(['--severity', args.severity], ['--no-restore', args.noRestore]),
    '--report',
    folder,
  ];
  return runCli({ verb: 'Format', argv, known: () => target(args) }, call);
}

export const formatAction: Action = {
  takes: ['project', 'verify', 'includeGenerated', 'diagnostics', 'severity', 'noRestore'],
  lock: projectLock('format'),
  run: format,
};
