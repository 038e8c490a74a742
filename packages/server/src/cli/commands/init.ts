import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { suggestNames } from '@mortise/plugin/runtime';
import type { Command } from 'commander';
import { findInFolder } from '../../settings/find-config.js';
import { CONFIG_FILE } from '../../settings/paths.js';
import { readProcessEnvironment } from '../../settings/process-environment.js';
import { createFolder } from '../../util/create-folder.js';
import { tryOs } from '../../util/ignore-os-errors.js';
import { newConfig } from '../new/config-text.js';
import { type Cli, createCommand } from '../shared/cli.js';
import { CliError } from '../shared/cli-error.js';
import { CLIENTS, type ClientEntry, type ClientName } from '../shared/client-entries.js';
import { launchOf, type OwnLaunch } from '../shared/own-launch.js';
import type { SettingsOptions } from '../shared/settings-options.js';
import { shellQuote } from '../shared/shell-quote.js';
import type { Terminal } from '../shared/terminal.js';

interface InitOptions extends SettingsOptions {
  readonly client?: string;
  readonly json?: true;
}

interface ConfigFile {
  /** Absolute path. */
  readonly config: string;
  readonly wasMade: boolean;
}

export function initCommand({ terminal, end }: Cli): Command {
  return createCommand({
    name: 'init',
    description:
      'Prints what to paste into each MCP client. It serves the configuration that --config names, else that of this ' +
      'folder where the folder is trusted, else your own; the file is made if there is none.\n' +
      `Clients: ${CLIENT_NAMES.join(', ')}.`,
    examples: [
      ['init', 'all clients'],
      ['init --client cursor', 'the entry for one, alone on stdout'],
      ['init --config ./appsettings.json', 'for a configuration of your own'],
    ],
  })
    .option('--client <name>', 'only the entry for this client')
    .option('--json', 'one JSON document on stdout')
    .action((_: unknown, command: Command) => {
      init(command.optsWithGlobals<InitOptions>(), terminal);
      end('ok');
    });
}

function init({ client, json, config, plugins }: InitOptions, terminal: Terminal): void {
  const name = client === undefined ? undefined : clientNamed(client);
  const configFile = makeConfig(config ?? configHere(terminal));
  const launch = launchOf(configFile.config, plugins && resolve(plugins));
  if (launch.isTemporary) terminal.err(TEMPORARY_COPY);
  if (json) terminal.out(JSON.stringify(asJson(name ? [name] : CLIENT_NAMES, configFile, launch), null, 2));
  else if (name) printEntry(CLIENTS[name], configFile, launch, terminal);
  else terminal.out([doneText(configFile), entriesText(launch, terminal), nextText(configFile)].join('\n\n'));
}

const CLIENT_NAMES = Object.keys(CLIENTS) as ClientName[];

const TEMPORARY_COPY =
  'This copy was downloaded by npx and may be deleted: run npm install --global mortise, then init again.';

const doneText = ({ config, wasMade }: ConfigFile) => `${wasMade ? 'Made' : 'Found'} ${config}`;

const nextText = ({ config }: ConfigFile) =>
  `Next: mortise new <name> --config ${shellQuote(config)} makes a plugin for it.`;

/** Prints only the entry to stdout, so that it can be piped into a file. */
function printEntry(
  { title, configFile: place, entry }: ClientEntry,
  configFile: ConfigFile,
  launch: OwnLaunch,
  terminal: Terminal,
): void {
  terminal.err(`${doneText(configFile)}\nFor ${title}: ${place}`);
  terminal.out(entry(launch));
}

function clientNamed(name: string): ClientName {
  if (Object.hasOwn(CLIENTS, name)) return name as ClientName;
  const [closest] = suggestNames(name, CLIENT_NAMES);
  const clientHint = `Known: ${CLIENT_NAMES.join(', ')}.`;
  const hint = closest ? `Did you mean ${closest}? ${clientHint}` : clientHint;
  throw new CliError('notFound', { message: `There is no client '${name}'.`, hint });
}

/** Returns the configuration file of this folder if mortise uses it here. */
function configHere(terminal: Terminal): string | undefined {
  const { cwd, userConfigDir } = readProcessEnvironment();
  return findInFolder(cwd, userConfigDir, terminal.err)?.file;
}

/** Creates the configuration and its plugins folder, or keeps an existing file. @param path default: the user's file */
function makeConfig(path: string | undefined): ConfigFile {
  const { cwd, userConfigDir } = readProcessEnvironment();
  const config = path === undefined ? join(userConfigDir, CONFIG_FILE) : resolve(cwd, path);
  if (tryOs(() => statSync(config).isFile())) return { config, wasMade: false };
  try {
    createFolder(dirname(config), 0o700);
    writeFileSync(config, newConfig(config), { flag: 'wx', mode: 0o600 });
    mkdirSync(join(dirname(config), 'plugins'), { recursive: true });
    return { config, wasMade: true };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const hint = 'Make the folder writable, or name another file with --config.';
    throw new CliError('failed', { message: `The configuration cannot be written: ${code}.`, where: config, hint });
  }
}

/** Formats the entries of all clients. Clients with the same entry share it. */
function entriesText(launch: OwnLaunch, { style }: Terminal): string {
  const clientsByEntry = new Map<string, ClientEntry[]>();
  for (const client of Object.values<ClientEntry>(CLIENTS)) {
    const entry = client.entry(launch);
    clientsByEntry.set(entry, [...(clientsByEntry.get(entry) ?? []), client]);
  }
  const width = Math.max(...Object.values(CLIENTS).map(({ title }) => title.length));
  const head = ({ title, configFile }: ClientEntry) => `${style.bold(title.padEnd(width))}  ${configFile}`;
  return [...clientsByEntry].map(([entry, clients]) => `${clients.map(head).join('\n')}\n\n${entry}`).join('\n\n\n');
}

function asJson(names: readonly ClientName[], configFile: ConfigFile, launch: OwnLaunch) {
  const clients = names.map((name) => {
    const { title, configFile: location, format, entry }: ClientEntry = CLIENTS[name];
    const text = entry(launch);
    return [name, { title, location, format, entry: format === 'json' ? JSON.parse(text) : text }];
  });
  const { command, args } = launch;
  return { ...configFile, launch: { command, args }, clients: Object.fromEntries(clients) };
}
