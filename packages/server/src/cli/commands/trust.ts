import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { AuditLog } from '../../access/audit/audit-log.js';
import { LOCAL } from '../../core/principal.js';
import { CONFIG_FILE } from '../../settings/paths.js';
import { readProcessEnvironment } from '../../settings/process-environment.js';
import { createTrustStore } from '../../settings/trusted-config.js';
import { type Cli, createCommand } from '../shared/cli.js';
import { CliError } from '../shared/cli-error.js';
import { folderAudit } from '../shared/folder-audit.js';
import { indent } from '../shared/format-text.js';
import type { SettingsOptions } from '../shared/settings-options.js';
import type { Terminal } from '../shared/terminal.js';
import { isPluginName, trustPlugin } from '../shared/trust-plugin.js';

interface TrustOptions extends SettingsOptions {
  readonly list?: true;
  readonly remove?: true;
  readonly json?: true;
}

export function trustCommand({ terminal, end }: Cli): Command {
  return createCommand({
    name: 'trust',
    description:
      `Lets mortise, when it is run in a folder, use the ${CONFIG_FILE} there, which decides what code it runs: ` +
      'plugins and mounted servers. Without that, such a file is ignored. Subfolders are not included.\n\n' +
      'With the name of a plugin: accepts its tools as they are now, after they have changed. A path has a separator ' +
      'or starts with a dot; `@scope/name` is a package of Plugins.Packages if it is named there. Any other argument that is the name of a plugin means that plugin.',
    examples: [
      ['trust', 'the folder that you are in'],
      ['trust ~/work/project', 'another one'],
      ['trust --list', 'what is trusted'],
      ['trust --remove', 'stop trusting the folder'],
      ['trust weather', 'the tools of the plugin weather, as they are now'],
      ['trust @acme/notes', 'those of an npm package of Plugins.Packages'],
    ],
  })
    .argument('[folder or plugin]', 'default: the working directory')
    .option('--list', 'show the trusted folders')
    .option('--remove', 'stop trusting the folder')
    .option('--json', 'one JSON document on stdout')
    .action(async (target: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<TrustOptions>();
      const isPlugin =
        target !== undefined && !options.list && !options.remove && (await isPluginName(target, options));
      await (isPlugin ? trustPlugin(target, options, terminal) : trustFolder(target, options, terminal));
      end('ok');
    });
}

async function trustFolder(pathArgument: string | undefined, options: TrustOptions, terminal: Terminal): Promise<void> {
  const { list, remove, json } = options;
  const { cwd, userConfigDir } = readProcessEnvironment();
  const store = createTrustStore(userConfigDir);
  const folder = resolve(cwd, pathArgument ?? '.');
  if (list && (remove || pathArgument !== undefined)) {
    throw new CliError('usage', {
      message: '--list shows all trusted folders.',
      hint: 'Leave out the folder and --remove.',
    });
  }
  const print = (result: object, text: string) => terminal.out(json ? JSON.stringify(result, null, 2) : text);
  if (list) {
    const trusted = store.list();
    print({ trusted }, trusted.join('\n') || 'No folder is trusted.');
  } else if (remove) {
    // The audit is opened first, because afterwards the settings of the folder do not apply.
    const audit = await folderAudit(folder, options, terminal);
    const removed = store.untrust(folder);
    if (removed) recordTrust(audit, folder, false);
    audit?.close();
    print({ folder, removed }, removed ? `No longer trusted: ${folder}` : `It was not trusted: ${folder}`);
  } else {
    const realFolder = store.trust(folder);
    const audit = await folderAudit(realFolder, options, terminal);
    recordTrust(audit, realFolder, true);
    audit?.close();
    print({ folder: realFolder, trusted: true }, folderText(realFolder, terminal));
  }
}

function recordTrust(audit: AuditLog | undefined, folder: string, isTrusted: boolean): void {
  const details = { folder, trusted: isTrusted };
  audit?.record({ event: 'trust', principal: LOCAL.name, target: folder, outcome: 'ok', details });
}

function folderText(folder: string, { style }: Terminal): string {
  const file = join(folder, CONFIG_FILE);
  const meaning = existsSync(file)
    ? `When mortise runs there, it uses ${file} and starts the plugins and servers that it lists, even after it changes.`
    : `There is no ${CONFIG_FILE} in it yet. Once there is, mortise starts the plugins and servers that it lists when it runs there.`;
  return `Trusted: ${folder}\n${indent(`${meaning}\n${style.arrow} Undo: mortise trust --remove ${JSON.stringify(folder)}`, 2)}`;
}
