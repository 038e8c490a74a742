import { existsSync } from 'node:fs';
import { delimiter, extname, isAbsolute, join } from 'node:path';

/** The arguments for `spawn`. */
export interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly options: { readonly windowsVerbatimArguments?: true };
}

/**
 * Returns the command line for a program from the settings. On Windows, `npx` and similar programs are batch files,
 * which only cmd.exe can run. The branch for Windows follows the documentation of cmd.exe and has not been tested.
 */
export function commandLine(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): CommandLine {
  const file = platform === 'win32' ? (findProgram(command, env) ?? command) : command;
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args, env, options: {} };
  const line = [file, ...args].map(quoteForCmd).join(' ');
  return {
    file: variable(env, 'COMSPEC') ?? 'cmd.exe',
    args: ['/d', '/s', '/c', `"${line}"`],
    env,
    options: { windowsVerbatimArguments: true },
  };
}

/** Searches PATH with PATHEXT, like cmd.exe. */
function findProgram(command: string, env: Readonly<Record<string, string>>): string | undefined {
  const folders = isAbsolute(command) ? [''] : (variable(env, 'PATH') ?? '').split(delimiter).filter(Boolean);
  const extensions = extname(command) ? [''] : (variable(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';');
  const candidates = folders.flatMap((folder) => extensions.map((extension) => join(folder, command + extension)));
  return candidates.find((file) => existsSync(file));
}

function variable(env: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

/** Quotes an argument for the program, then escapes it twice, because cmd.exe and the batch file each parse it once. */
function quoteForCmd(argument: string): string {
  const quoted = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;
  return escapeForCmd(escapeForCmd(quoted));
}

const escapeForCmd = (text: string) => text.replace(/[()[\]%!^"`<>&|;, *?]/g, '^$&');
