import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { applyEdits, modify, parse } from 'jsonc-parser';
import type { AccessKey } from '../../settings/access-settings.js';
import { loadSettings } from '../../settings/load.js';
import { type Cli, type CommandOptions, createCommand } from '../shared/cli.js';
import { CliError } from '../shared/cli-error.js';
import { loadOptionsFor, repeated, type SettingsOptions } from '../shared/settings-options.js';
import type { Terminal } from '../shared/terminal.js';

const KEY_BITS = 256;

interface KeyOptions extends SettingsOptions {
  readonly profile?: string;
  readonly scope?: readonly string[];
  readonly expires?: string;
  readonly json?: true;
}

const EXAMPLES: CommandOptions['examples'] = [
  ['key new ci', 'a key that may read and write'],
  ['key new ci --profile build --expires 2027-01-31', 'restricted to a profile, for some time'],
  ['key new ops --scope mortise:read --scope mortise:operate', 'with other scopes'],
];

export function keyCommand({ terminal, end }: Cli): Command {
  const create = createCommand({
    name: 'new',
    parent: 'key',
    description:
      'Makes an access key for HTTP, prints it once, and writes its hash to Auth.Keys of the configuration file. ' +
      'A running server reads it at its next reload (SIGHUP).',
    examples: EXAMPLES,
  })
    .argument('<name>', 'the name of the caller, as logs show it')
    .option('--profile <name>', 'the profile that restricts what the caller sees')
    .option('--scope <scope>', 'what the caller may do; can be repeated', repeated)
    .option('--expires <date>', 'when the key expires, such as 2027-01-31')
    .option('--json', 'one JSON document on stdout')
    .action(async (name: string, _: unknown, command: Command) => {
      await newKey(name, command.optsWithGlobals<KeyOptions>(), terminal);
      end('ok');
    });
  return createCommand({
    name: 'key',
    description: 'Manages the access keys of Auth.Keys.',
    examples: EXAMPLES,
  }).addCommand(create);
}

async function newKey(name: string, options: KeyOptions, terminal: Terminal): Promise<void> {
  const { file, settings } = await loadSettings(loadOptionsFor(options));
  if (file === undefined) {
    throw new CliError('failed', {
      message: 'There is no configuration file to write the key to.',
      hint: 'Name one with --config, or run `mortise init` to make one.',
    });
  }
  const key = `mortise_${randomBytes(KEY_BITS / 8).toString('base64url')}`;
  const { profile, scope, expires } = options;
  const entry: Omit<AccessKey, 'Scopes'> & { Scopes?: readonly string[] } = {
    Name: name,
    Sha256: createHash('sha256').update(key).digest('hex'),
    ...(profile !== undefined && { Profile: profile }),
    ...(scope !== undefined && { Scopes: scope }),
    ...(expires !== undefined && { Expires: expires }),
  };
  // Loading the settings with the new entry checks the entry like one of the file.
  await loadSettings(loadOptionsFor(options, { Auth: { Keys: [...settings.Auth.Keys, entry as AccessKey] } }));
  addEntry(file, entry);
  if (options.json) {
    terminal.out(JSON.stringify({ name, key, file }, null, 2));
    return;
  }
  terminal.err(`Added the key '${name}' to ${file}. It is shown only now:`);
  terminal.out(key);
}

/** Adds the entry to the file. The rest of the file, including comments, stays unchanged. */
function addEntry(file: string, entry: object): void {
  const text = readFileSync(file, 'utf8');
  const root = (parse(text, [], { allowTrailingComma: true }) ?? {}) as Record<string, unknown>;
  const section = keyIn(root, 'Auth');
  const list = keyIn((root[section] ?? {}) as Record<string, unknown>, 'Keys');
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: text.includes('\r\n') ? '\r\n' : '\n' };
  const hasList = Array.isArray((root[section] as Record<string, unknown> | undefined)?.[list]);
  const path = hasList ? [section, list, -1] : [section, list];
  const edits = modify(text, path, hasList ? entry : [entry], { formattingOptions, isArrayInsertion: hasList });
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeFileSync(temporary, applyEdits(text, edits), { flag: 'wx', mode: statSync(file).mode & 0o777 });
    renameSync(temporary, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const hint = 'Make the file and its folder writable, or name another file with --config.';
    throw new CliError('failed', { message: `The configuration cannot be written: ${code}.`, where: file, hint });
  }
}

/** Returns a key in the spelling of the file, in which case does not count. */
function keyIn(object: Record<string, unknown>, name: string): string {
  return Object.keys(object).find((key) => key.toLowerCase() === name.toLowerCase()) ?? name;
}
