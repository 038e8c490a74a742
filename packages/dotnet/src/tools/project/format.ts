import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Action, type ActionContext, ActionError, type ActionResult, changed } from '../../actions/action.js';
import { options, positional } from '../../actions/cli-action.js';
import { commandFailed } from '../../actions/command-failed.js';
import { InvalidParameterError, missingParameter } from '../../actions/invalid-parameter.js';
import { fitValue } from '../../actions/value-kind.js';
import { counted } from '../../advice/diagnostic-fields.js';
import { parseDiagnostics } from '../../diagnostics/parse/parse-diagnostics.js';
import type { CommandRun } from '../../process/command-run.js';
import { isChangedSince } from '../../project-files/file-state.js';
import { filesBelow } from '../../project-files/readable-files.js';
import { isSolutionPath, readSolution } from '../../project-files/solution-file.js';
import { projectLock, target } from './build.js';
import { boundedLines, type Finding, findingLines, oneOfEachCode } from './format-findings.js';

/** A document in the report of `dotnet format --report` (SDK 10). */
interface FormattedDocument {
  FilePath: string;
  FileChanges: { LineNumber: number; CharNumber: number; DiagnosticId: string; FormatDescription: string }[];
}

/** Matches the severity and the code of a diagnostic: `error CA1305: The behavior of …`. */
const SEVERITY = /^(?:error|warning|info|hidden) \w+: /;

async function readReport(folder: string): Promise<Finding[]> {
  const text = await readFile(join(folder, 'format-report.json'), 'utf8').catch(() => '[]');
  const documents = JSON.parse(text.replace(/^\uFEFF/, '')) as FormattedDocument[];
  const findings = documents.flatMap(({ FilePath, FileChanges }) =>
    FileChanges.map(({ LineNumber, CharNumber, DiagnosticId, FormatDescription }) => ({
      file: FilePath,
      line: LineNumber,
      column: CharNumber,
      code: DiagnosticId,
      message: FormatDescription.replace(SEVERITY, ''),
      isDiagnostic: SEVERITY.test(FormatDescription),
    })),
  );
  // A project with several frameworks reports each document once per framework.
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

async function format(call: ActionContext): Promise<ActionResult> {
  const { args } = call;
  const folder = await mkdtemp(join(tmpdir(), 'mortise-format-'));
  try {
    const startedAtMs = Date.now();
    const run = await call.dotnet(formatArguments(call), { ownArgs: ['--report', folder] });
    const findings = await readReport(folder);
    const answer = args.verify
      ? verifyAnswer(findings)
      : formatAnswer(run, findings, changedSince(startedAtMs, findings, call));
    if (run.terminatedBy !== 'exited' || run.exitCode !== 0) throw formatFailed(run, call, { ...answer, findings });
    const { summary, files, unable, fields } = answer;
    return changed(
      summary,
      { ...target(args), ...(files.length === 0 && { changed: false }), ...fields },
      { text: [summary, ...boundedLines(files), ...unable].join('\n'), command: run.command },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface FormatAnswer {
  readonly summary: string;
  readonly files: readonly string[];
  /** The CLI's sentences about rules without a code fix. */
  readonly unable: readonly string[];
  readonly fields: object;
}

/**
 * Returns the answer for `verify`. The CLI then does not look for code fixes, so only changes of the formatter are
 * certain.
 */
function verifyAnswer(findings: readonly Finding[]): FormatAnswer {
  const files = [...new Set(findings.filter(({ isDiagnostic }) => !isDiagnostic).map(({ file }) => file))];
  const diagnostics = findings.filter(({ isDiagnostic }) => isDiagnostic).length;
  const changes = files.length > 0 ? [`${counted(files.length, 'file')} would be changed`] : [];
  const rest = diagnostics > 0 ? [`${counted(diagnostics, 'finding')} of analyzers`] : [];
  const summary = [...changes, ...rest].join(', ') || 'Nothing to format';
  return { summary, files, unable: [], fields: { wouldChange: files, diagnostics: findings.map(withoutKind) } };
}

/** Matches the sentence that the CLI prints once for each rule that it reported but could not fix. */
const UNABLE = /^[ \t]*(Unable to fix (\w+)\. .*?)[ \t\r]*$/gm;

/**
 * Returns the answer without `verify`. The report also has the fixed diagnostics. A diagnostic counts as not fixed if
 * its rule has no code fix, or its file was not changed.
 */
function formatAnswer(run: CommandRun, findings: readonly Finding[], files: readonly string[]): FormatAnswer {
  const unable = new Map([...run.output.matchAll(UNABLE)].map(([, sentence, code]) => [code!, sentence!]));
  const remaining = findings.filter(
    ({ file, code, isDiagnostic }) => isDiagnostic && (unable.has(code) || !files.includes(file)),
  );
  const done = files.length > 0 ? `Formatted ${counted(files.length, 'file')}` : undefined;
  const rest = remaining.length > 0 ? `${counted(remaining.length, 'finding')} not fixed` : undefined;
  const summary = done && rest ? `${done}, ${rest}` : (done ?? (rest && `No file was changed, ${rest}`));
  return {
    summary: summary ?? 'Nothing to format',
    files,
    unable: [...unable.values()],
    fields: {
      changedFiles: files,
      diagnostics: remaining.map(withoutKind),
      ...(unable.size > 0 && { note: [...unable.values()].join(' ') }),
    },
  };
}

const withoutKind = ({ isDiagnostic: _, ...diagnostic }: Finding): object => diagnostic;

/**
 * Returns the changed files. All sources are checked, because a code fix can change files that the report does not
 * list.
 */
function changedSince(startedAtMs: number, findings: readonly Finding[], call: ActionContext): string[] {
  const sources = sourceFolders(call.resolve(call.args.project ?? '.')).flatMap((folder) =>
    filesBelow(folder, (name) => /\.(?:cs|vb)$/i.test(name)),
  );
  const candidates = new Set([...findings.map(({ file }) => file), ...sources]);
  return [...candidates].filter((file) => isChangedSince(file, startedAtMs));
}

function sourceFolders(path: string): string[] {
  if (isSolutionPath(path) && existsSync(path))
    return readSolution(path).map(({ absolutePath }) => dirname(absolutePath));
  return [statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : dirname(path)];
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

/**
 * Returns the files and folders of `include`. The parameter also holds items of any form, so the paths are checked
 * here.
 */
function includedFiles({ args: { include = [] }, resolve }: Pick<ActionContext, 'args' | 'resolve'>): string[] {
  return [include].flat().map((pattern) => {
    const path = fitValue('path', pattern, 'include');
    // The CLI formats nothing in a folder that is given without a trailing slash (SDK 10).
    const isFolder = statSync(resolve(path), { throwIfNoEntry: false })?.isDirectory() === true;
    return isFolder && !/[/\\]$/.test(path) ? `${path}/` : path;
  });
}

/** Matches the unhandled exception with which `dotnet format` reports a missing project (SDK 10). */
const NOT_THERE = /^Unhandled exception: System\.IO\.FileNotFoundException: (.{1,1000} does not exist\.)/m;

function formatFailed(
  run: CommandRun,
  { args, cwd }: ActionContext,
  { summary, fields, findings }: FormatAnswer & { readonly findings: readonly Finding[] },
): Error {
  const { project, verify } = args;
  const missingMessage = NOT_THERE.exec(run.output)?.[1];
  if (missingMessage !== undefined && project !== undefined) {
    return new InvalidParameterError('project', 'not found', missingMessage, { providedValue: project });
  }
  const isChecked = verify === true && findings.length > 0 && run.terminatedBy === 'exited';
  const failed = commandFailed(run, {
    label: 'Format',
    partialResult: { ...target(args), ...fields },
    ...(verify && { summary }),
    ...(isChecked && { report: oneOfEachCode(parseDiagnostics(run.output), findings) }),
  });
  return isChecked ? new ActionError([summary, ...findingLines(findings, cwd)].join('\n'), failed.options) : failed;
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
