import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AuditEntry } from '../../access/audit/audit-event.js';
import { isFailed, readAudit } from '../../access/audit/read-audit.js';
import { type AuditRow, type AuditSummary, sumUpAudit } from '../../access/audit/sum-up-audit.js';
import { loadSettings } from '../../settings/load.js';
import { errorMessage } from '../../util/error-message.js';
import { visibleText } from '../../util/visible-text.js';
import { type Cli, createCommand } from '../shared/cli.js';
import { CliError } from '../shared/cli-error.js';
import { count } from '../shared/format-text.js';
import { loadOptionsFor, type SettingsOptions } from '../shared/settings-options.js';

interface AuditOptions extends SettingsOptions {
  readonly since?: string;
  readonly tool?: string;
  readonly principal?: string;
  readonly call?: string;
  readonly errors?: true;
  readonly json?: true;
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_ROWS = 20;

/** Parses a duration before now such as `2h`, or a date or time. @returns the time in ISO 8601, UTC */
function sinceTime(text: string): string {
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const time = unit === undefined ? Date.parse(text) : Date.now() - Number(amount) * UNIT_MS[unit]!;
  if (Number.isNaN(time)) throw new InvalidArgumentError('It must be a time such as 30m, 2h, 7d or 2026-01-31T08:00Z.');
  return new Date(time).toISOString();
}

export function auditCommand({ terminal, end }: Cli): Command {
  return createCommand({
    name: 'audit',
    description: 'Filters and sums up the audit log: the file that Audit.File names, and its earlier files.',
    examples: [
      ['audit --since 24h', 'what was called since yesterday, by whom, and how it ended'],
      ['audit --errors --principal ci', 'what failed or was refused for one key'],
      ['audit --call 1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b --json', 'the line of the call with this id'],
    ],
  })
    .addOption(
      new Option('--since <time>', 'only lines after this time: 30m, 2h or 7d ago, or a date and time').argParser(
        sinceTime,
      ),
    )
    .option('--tool <name>', 'only this tool, prompt or URI; * stands for any characters')
    .option('--principal <name>', 'only this principal: the name of a key, `local` or `loopback`')
    .option('--call <id>', 'only the call with this id')
    .option('--errors', 'only what failed or was refused')
    .option('--json', 'one JSON document on stdout, with the lines')
    .action(async (_: unknown, command: Command) => {
      const { json, call: callId, ...options } = command.optsWithGlobals<AuditOptions>();
      const { File } = (await loadSettings(loadOptionsFor(options))).settings.Audit;
      if (File === '') {
        throw new CliError('usage', { message: 'There is no audit: Audit.File is empty.', hint: 'Set it to a file.' });
      }
      let damaged = 0;
      const entries: AuditEntry[] = [];
      try {
        for await (const entry of readAudit(File, { ...options, callId }, () => (damaged += 1))) entries.push(entry);
      } catch (error) {
        throw new CliError('failed', {
          message: `${File} cannot be read: ${errorMessage(error)}`,
          hint: 'Check Audit.File.',
        });
      }
      const summary = sumUpAudit(entries);
      const report = { file: File, ...summary, damaged, lines: entries };
      terminal.out(json ? JSON.stringify(report, null, 2) : visibleText(reportText(report)));
      end('ok');
    });
}

function reportText({
  file,
  lines,
  damaged,
  ...summary
}: AuditSummary & { file: string; damaged: number; lines: AuditEntry[] }): string {
  const { entries, from, to, codes } = summary;
  if (entries === 0) return `No entries of ${file} match.${damagedText(damaged)}`;
  const failed = lines.filter(isFailed);
  return [
    `${count(entries, 'line')} of ${file}, ${from} to ${to}.${damagedText(damaged)}`,
    table('Target', summary.targets),
    table('Principal', summary.principals),
    codes.length === 0
      ? ''
      : `Errors and refusals\n${codes.map(({ code, count: times }) => `  ${String(times).padStart(6)}  ${code}`).join('\n')}`,
    failed.length === 0 ? '' : `The latest errors and refusals\n${failed.slice(-MAX_ROWS).map(lineText).join('\n')}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const damagedText = (damaged: number): string => (damaged === 0 ? '' : ` ${count(damaged, 'line')} could not be read.`);

const lineText = ({ time, principal = '', target = '', outcome, callId = '' }: AuditEntry): string =>
  `  ${[time, principal, target, outcome, callId].filter((part) => part !== '').join('  ')}`;

function table(title: string, rows: readonly AuditRow[]): string {
  if (rows.length === 0) return '';
  const width = Math.max(title.length, ...rows.slice(0, MAX_ROWS).map(({ name }) => name.length)) + 2;
  const head = `${title.padEnd(width)}${'calls'.padStart(8)}${'errors'.padStart(8)}${'median ms'.padStart(11)}${'longest ms'.padStart(12)}`;
  const formatMs = (value: number | null) => (value === null ? '' : value.toFixed(1));
  const body = rows.slice(0, MAX_ROWS).map(({ name, calls, errors, medianMs, longestMs }) => {
    const numbers = [
      String(calls).padStart(8),
      String(errors).padStart(8),
      formatMs(medianMs).padStart(11),
      formatMs(longestMs).padStart(12),
    ];
    return `${name.padEnd(width)}${numbers.join('')}`;
  });
  return [head, ...body, ...(rows.length > MAX_ROWS ? [`and ${rows.length - MAX_ROWS} more`] : [])].join('\n');
}
