import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { PluginStatus } from '../../core/plugin-status.js';
import { configuredPlugins } from '../../plugins/find/configured-plugins.js';
import { loadSettings, loadUsable } from '../../settings/load.js';
import { readProcessEnvironment } from '../../settings/process-environment.js';
import { awaitPlugins } from '../shared/await-plugins.js';
import { checkPlugin, findPlugin } from '../shared/check-plugin.js';
import { type Cli, createCommand } from '../shared/cli.js';
import { count } from '../shared/format-text.js';
import { type Issue, issueCounts, issueText, pluginIssue, settingsIssue } from '../shared/issue.js';
import { commandLog, issuesOf, openServer } from '../shared/open-server.js';
import { portabilityIssues } from '../shared/portability.js';
import { loadOptionsFor, type SettingsOptions } from '../shared/settings-options.js';
import { startProblems } from '../shared/start-problems.js';
import type { Terminal } from '../shared/terminal.js';
import { undeclaredImports } from '../shared/undeclared-imports.js';

/** The JSON document that the command prints: the configuration and plugins that it checked, and their problems. */
interface Report {
  /** The configuration file; null if there is none. */
  readonly configuration: string | null;
  readonly plugins: readonly Pick<
    PluginStatus,
    'name' | 'version' | 'path' | 'state' | 'tools' | 'resources' | 'prompts'
  >[];
  readonly problems: readonly Issue[];
}

export function validateCommand({ terminal, end }: Cli): Command {
  return createCommand({
    name: 'validate',
    description:
      'Checks the configuration and loads every plugin once, without serving; or checks one plugin, or a folder of them.\n' +
      'Exit code 1 if there is an error; warnings do not count.',
    examples: [
      ['validate', 'everything'],
      ['validate hello', 'the plugin hello'],
      ['validate plugins/greeting.js', 'the plugin in this file'],
      ['validate --config ./appsettings.json --json', 'for CI'],
    ],
  })
    .argument(
      '[path]',
      'a plugin (its name as `mortise list` shows it, its file or its folder), or a folder of plugins',
    )
    .option('--json', 'one JSON document on stdout')
    .action(async (path: string | undefined, _: unknown, command: Command) => {
      const { json, ...options } = command.optsWithGlobals<SettingsOptions & { json?: true }>();
      const report = await (path === undefined ? checkAll(options, terminal) : checkPath(path, options, terminal));
      const isValid = report.problems.every(({ severity }) => severity !== 'error');
      terminal.out(json ? JSON.stringify({ valid: isValid, ...report }, null, 2) : reportText(report, terminal));
      end(isValid ? 'ok' : 'failed');
    });
}

async function checkAll(options: SettingsOptions, terminal: Terminal): Promise<Report> {
  const { problems, loaded } = await loadUsable(loadOptionsFor(options));
  const errors = problems.map(settingsIssue);
  if (!loaded) {
    const file = problems.find((problem) => problem.file !== undefined)?.file ?? null;
    return { configuration: file, plugins: [], problems: errors };
  }
  errors.push(...(await startProblems(loaded, commandLog(terminal, options, loaded))));
  const { settings } = loaded;
  const withoutAudit = { ...loaded, settings: { ...settings, Audit: { ...settings.Audit, File: '' } } };
  const open = await openServer(terminal, options, { isFresh: true, loaded: withoutAudit });
  await awaitPlugins(open.server, terminal);
  const plugins = open.server.plugins().map(toSummary);
  const portability = portabilityIssues(open.server.mcpLists().tools);
  await open.server.close();
  const imports = configuredPlugins(loaded).candidates.flatMap(undeclaredImports);
  const allProblems = [...errors, ...issuesOf(open), ...portability, ...imports];
  return { configuration: loaded.file ?? null, plugins, problems: allProblems };
}

async function checkPath(argument: string, options: SettingsOptions, terminal: Terminal): Promise<Report> {
  const { cwd } = readProcessEnvironment();
  const candidate = await findPlugin(argument, cwd, () => loadSettings(loadOptionsFor(options)));
  if (!candidate) {
    const { problems, ...report } = await checkAll({ ...options, plugins: resolve(cwd, argument) }, terminal);
    return { ...report, problems: problems.filter(({ code }) => !SETTINGS_CODES.includes(code)) };
  }
  const loaded = await loadSettings(loadOptionsFor(options));
  const plugin = await checkPlugin(candidate, loaded, commandLog(terminal, options, loaded));
  const loadIssues = plugin.problems.map((problem) => pluginIssue(problem, plugin.name));
  const problems = [...loadIssues, ...plugin.portability, ...undeclaredImports(candidate)];
  return { configuration: loaded.file ?? null, plugins: [toSummary(plugin)], problems };
}

/** Warnings about the settings, which are not shown if only one folder is checked. */
const SETTINGS_CODES: readonly string[] = ['SETTINGS_WARNING', 'SETTING_SECTION_UNKNOWN'];

/** Leaves out the plugin's problems, which are in a separate list. */
function toSummary({ name, version, path, state, tools, resources, prompts }: PluginStatus): Report['plugins'][number] {
  return { name, ...(version !== undefined && { version }), path, state, tools, resources, prompts };
}

function reportText({ configuration, plugins, problems }: Report, { style }: Terminal): string {
  const tools = plugins.reduce((sum, plugin) => sum + plugin.tools.length, 0);
  const checkedParts = [
    configuration ?? 'no configuration file',
    count(plugins.length, 'plugin'),
    count(tools, 'tool'),
  ].join(', ');
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  const verdict = problems.length === 0 ? 'Valid' : issueCounts(problems);
  const symbol = style.statusSymbol(hasErrors ? 'error' : problems.length > 0 ? 'warning' : 'ok');
  return [...problems.map((problem) => issueText(problem, style)), `${symbol} ${verdict}: ${checkedParts}.`].join(
    '\n\n',
  );
}
