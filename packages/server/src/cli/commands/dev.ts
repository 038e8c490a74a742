import type { Command } from 'commander';
import type { Candidate } from '../../core/plugin-candidate.js';
import { describeChanges } from '../../plugins/pins/compare.js';
import { loadSettings } from '../../settings/load.js';
import { readProcessEnvironment } from '../../settings/process-environment.js';
import type { LoadedSettings } from '../../settings/settings.js';
import { createRepeatedCall } from '../call/repeated-call.js';
import { parseAnswers } from '../call/terminal-caller.js';
import { pluginText } from '../shared/catalog-text.js';
import { findPlugin, pluginNamed } from '../shared/check-plugin.js';
import { type Cli, createCommand } from '../shared/cli.js';
import { CliError } from '../shared/cli-error.js';
import { indent } from '../shared/format-text.js';
import { issueText, settingsWarning } from '../shared/issue.js';
import { type OpenServer, openDevServer } from '../shared/open-server.js';
import { watchReloadTriggers } from '../shared/reload-triggers.js';
import { loadOptionsFor, repeated, type SettingsOptions } from '../shared/settings-options.js';
import { onStopSignal } from '../shared/signals.js';
import type { Terminal } from '../shared/terminal.js';

interface DevOptions extends SettingsOptions {
  readonly call?: string;
  readonly arg?: readonly string[];
  readonly json?: string;
  readonly answer?: readonly string[];
}

export function devCommand({ terminal, end }: Cli): Command {
  return createCommand({
    name: 'dev',
    description:
      'Loads one plugin as the server does, reloads it when its files change, and shows its tools, problems and log.\n' +
      'With --call, a tool is called after each load. Changed definitions of the plugin are accepted in mortise.lock.json.\n' +
      'It serves no client. Stop it with Ctrl+C.',
    examples: [
      ['dev hello', 'the plugin hello of the plugins folder'],
      ['dev ./plugins/hello --call hello --arg name=Ada', 'call its tool hello after each change'],
      ['dev greeting.mjs --call greeting --json @args.json', 'the arguments are read again each time'],
    ],
  })
    .argument('<plugin>', 'a plugin: its file, its folder, or its name as `mortise list` shows it')
    .option('--call <tool>', 'the tool to call after each load')
    .option('--arg <key=value>', 'an argument of the call; repeatable', repeated)
    .option('--json <object>', 'the arguments as a JSON object or @file; --arg wins over it')
    .option('--answer <key=value>', 'the answer to a question of the tool, by its key; repeatable', repeated)
    .action(async (plugin: string, _: unknown, command: Command) => {
      await develop(plugin, command.optsWithGlobals<DevOptions>(), terminal);
      end('ok');
    });
}

async function develop(argument: string, options: DevOptions, terminal: Terminal): Promise<void> {
  if (options.call === undefined && (options.arg ?? options.json ?? options.answer) !== undefined)
    throw new CliError('usage', { message: 'There is no tool to call.', hint: 'Add --call <tool>.' });
  let isStopped = false;
  const stopped = new Promise<void>((resolve) => {
    onStopSignal(() => {
      isStopped = true;
      resolve();
    });
  });
  const allSettings = await loadSettings(loadOptionsFor(options));
  for (const warning of allSettings.warnings) terminal.err(issueText(settingsWarning(warning), terminal.style));
  const { candidate, loaded } = await narrowToPlugin(argument, allSettings);
  const open = await openDevServer(terminal, loaded, candidate.name, options);
  const { server, log } = open;
  const raw = { pairs: options.arg ?? [], ...(options.json !== undefined && { json: options.json }) };
  const answers = parseAnswers(options.answer);
  const call =
    options.call === undefined ? undefined : createRepeatedCall(options.call, { open, terminal, raw, answers });
  const show = async (heading: string, canCall = true) => {
    if (isStopped) return;
    const acceptedLines = await acceptChanges(candidate.name, open);
    terminal.out([heading, statusText(candidate, open, terminal), ...acceptedLines].filter(Boolean).join('\n'));
    const hasFailed = server.plugins().some(({ path, state }) => path === candidate.path && state === 'failed');
    if (canCall && !hasFailed) call?.start();
  };
  try {
    await server.ready();
    await show(`Watching ${candidate.path}. Stop with Ctrl+C.`);
    const reloads = watchReloadTriggers(server, log, {
      watch: true,
      hasTerminal: true,
      isOnePlugin: true,
      report: ({ added, changed, removed, failed }, ms) => {
        const hasFailed = failed.length > 0;
        if ([...added, ...changed, ...removed].length === 0 && !hasFailed) return;
        void show(`\nA file changed: ${hasFailed ? 'the reload failed after' : 'reloaded in'} ${ms} ms.`, !hasFailed);
      },
    });
    await stopped;
    reloads.stop();
    call?.stop();
  } finally {
    await server.close();
  }
}

/** Finds the plugin and restricts the settings to its plugins folder. @throws CliError if there is no such plugin */
async function narrowToPlugin(
  argument: string,
  loaded: LoadedSettings,
): Promise<{ candidate: Candidate; loaded: LoadedSettings }> {
  const { Plugins } = loaded.settings;
  const candidate =
    pluginNamed(argument, loaded) ?? (await findPlugin(argument, readProcessEnvironment().cwd, async () => loaded));
  if (!candidate) {
    const hint = 'Name one of them, or see `mortise list`.';
    throw new CliError('notFound', { message: `${argument} is a folder of plugins, not a plugin.`, hint });
  }
  const isPackage = Plugins.Packages.includes(candidate.name);
  const Directory = isPackage ? Plugins.Directory : [candidate.directory];
  return {
    candidate,
    loaded: { ...loaded, settings: { ...loaded.settings, Plugins: { ...Plugins, Enabled: true, Directory } } },
  };
}

function statusText(candidate: Candidate, { server }: OpenServer, terminal: Terminal): string {
  const plugin = server.plugins().find(({ path }) => path === candidate.path);
  if (!plugin) return `${terminal.style.statusSymbol('warning')} ${candidate.path} is gone; waiting for it.`;
  return pluginText(plugin, server.mcpLists().tools, terminal);
}

/** Pins the plugin's current definitions if they differ from its pins. Returns the lines that report this. */
async function acceptChanges(name: string, { server }: OpenServer): Promise<string[]> {
  const isChanged = server
    .plugins()
    .some((plugin) => plugin.name === name && plugin.problems.some(({ code }) => code === 'PLUGIN_DEFINITION_CHANGED'));
  if (!isChanged) return [];
  const { file, plugins, problem } = await server.trustPlugin(name);
  if (problem) return [problem.message];
  const changes = plugins.flatMap((plugin) => describeChanges(plugin.changes, MAX_CHANGE_LINES));
  return [`    Accepted in ${file}:`, ...changes.map((line) => indent(line, 6))];
}

const MAX_CHANGE_LINES = 12;
