import { rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createRedactor } from '@mortise/redact';
import type { Command } from 'commander';
import { loadSettings } from '../../settings/load.js';
import { readProcessEnvironment } from '../../settings/process-environment.js';
import type { LoadedSettings } from '../../settings/settings.js';
import { type CheckedPackage, checkPackage, npmFailed } from '../pack/check-package.js';
import { makeManifest } from '../pack/make-manifest.js';
import { npmPack } from '../pack/run-npm.js';
import { type Cli, createCommand } from '../shared/cli.js';
import { count, indent } from '../shared/format-text.js';
import { type Issue, issueCounts, issueText } from '../shared/issue.js';
import { commandLog } from '../shared/open-server.js';
import { loadOptionsFor, type SettingsOptions } from '../shared/settings-options.js';
import { shellQuote } from '../shared/shell-quote.js';
import type { Style } from '../shared/style.js';
import type { Terminal } from '../shared/terminal.js';

interface PackOptions extends SettingsOptions {
  readonly check?: true;
  readonly json?: true;
}

/** The JSON document that the command prints. */
interface Report {
  readonly name: string;
  readonly version: string | null;
  /** Absolute path; null if no tarball was created. */
  readonly tarball: string | null;
  /** The published files, as paths relative to the folder. */
  readonly files: readonly string[];
  readonly problems: readonly Issue[];
  /** Settings without which the plugin does not load here, so that its tools were not checked. */
  readonly neededSettings: readonly Issue[];
  /** The path of the package.json, if the command wrote it. */
  readonly made?: string;
}

export function packCommand({ terminal, end }: Cli): Command {
  return createCommand({
    name: 'pack',
    description:
      'Checks what npm would publish of a plugin package: package.json, entry, declarations, README, license, secrets, ' +
      'native code, and the tools by loading the plugin once. Without an error it runs npm pack; the tarball is written ' +
      'to the working directory. npm runs the scripts prepack and prepare first.\n' +
      'A plugin folder without package.json gets one. Settings that the plugin needs are not needed here.\n' +
      'Exit code 1 if there is an error; warnings do not count.',
    examples: [
      ['pack', 'the package in the working directory'],
      ['pack plugins/notes --check', 'check only'],
      ['pack --json', 'for CI'],
    ],
  })
    .argument('[folder]', 'the folder of the package; default: the working directory')
    .option('--check', 'only check')
    .option('--json', 'one JSON document on stdout')
    .action(async (argument: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<PackOptions>();
      const { cwd } = readProcessEnvironment();
      const folder = resolve(cwd, argument ?? '.');
      const loaded = await loadSettings(loadOptionsFor(options));
      const made = makeManifest(folder, !options.check);
      const checked = await checkPackage(folder, loaded, commandLog(terminal, options, loaded));
      const report = redacted(
        { ...(await makeTarball(folder, checked, options.check ? undefined : cwd)), ...(made && { made }) },
        loaded,
      );
      const isValid = !hasErrors(report);
      terminal.out(
        options.json ? JSON.stringify({ valid: isValid, ...report }, null, 2) : reportText(report, terminal),
      );
      end(isValid ? 'ok' : 'failed');
    });
}

const hasErrors = ({ problems }: Pick<Report, 'problems'>) => problems.some(({ severity }) => severity === 'error');

function redacted(report: Report, { secrets }: LoadedSettings): Report {
  return createRedactor({ secrets }).value(report);
}

/**
 * Creates the tarball from exactly the files that were checked. npm's scripts are not run again.
 * @param destination the folder for the tarball; undefined if none is to be created
 */
async function makeTarball(folder: string, checked: CheckedPackage, destination: string | undefined): Promise<Report> {
  const { name, version = null, packed, problems, neededSettings } = checked;
  const files = packed?.files.map(({ path }) => path) ?? [];
  const report: Report = { name, version, tarball: null, files, problems, neededSettings };
  if (destination === undefined || !packed || hasErrors(report)) return report;
  const repacked = await npmPack(folder, ['--ignore-scripts', '--pack-destination', destination]);
  if ('failure' in repacked) return { ...report, problems: [...problems, npmFailed(folder, repacked.failure)] };
  const tarball = join(destination, repacked.filename);
  if (repacked.integrity === packed.integrity) return { ...report, tarball };
  rmSync(tarball, { force: true });
  const reason = 'the files of the package changed while it was checked';
  return { ...report, problems: [...problems, npmFailed(folder, reason)] };
}

function reportText(report: Report, { style }: Terminal): string {
  const { name, version, tarball, files, problems, neededSettings, made } = report;
  const description = [[name, version].filter(Boolean).join(' '), count(files.length, 'file')].join(', ');
  const counts = problems.length === 0 ? '' : issueCounts(problems);
  const symbol = style.statusSymbol(hasErrors(report) ? 'error' : problems.length > 0 ? 'warning' : 'ok');
  const verdict = hasErrors(report) ? counts : ['Ready to publish', counts].filter(Boolean).join(', ');
  const tarballLines =
    tarball === null
      ? []
      : [
          `${style.statusSymbol('ok')} Packed: ${tarball}\n  ${style.arrow} Publish it: npm publish ${shellQuote(`./${basename(tarball)}`)}`,
        ];
  return [
    ...(made === undefined ? [] : [`Wrote ${made}: check its name, version and files.`]),
    ...problems.map((problem) => issueText(problem, style)),
    ...(neededSettings.length > 0 ? [notChecked(neededSettings, style)] : []),
    `${symbol} ${verdict}: ${description}.`,
    ...tarballLines,
  ].join('\n\n');
}

/** Names the missing settings. They are no error, because the user of a plugin writes its settings, not its author. */
function notChecked(neededSettings: readonly Issue[], style: Style): string {
  const settings = neededSettings.map(({ subject, message }) => subject ?? message);
  const head = `The tools were not checked: the plugin does not load without ${settings.join(', ')}.`;
  const hint = 'To check them too, name a settings file that has them: --config <file>.';
  return `${style.statusSymbol('none')} ${head}\n${indent(`${style.arrow} ${hint}`, 4)}`;
}
