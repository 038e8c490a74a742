import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { withoutSettings } from '@mortise/plugin/runtime';
import { commandLine } from '../../run/mounted/spawn-command.js';
import { CliError } from '../shared/cli-error.js';

/** The description of a package that `npm pack --json` prints. */
export interface Packed {
  /** The name of the tarball. */
  readonly filename: string;
  readonly integrity: string;
  /** The size of the tarball in bytes. */
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/**
 * Runs `npm pack --json` in a folder.
 * @returns the package that npm created, or with `--dry-run` would create; the output of npm if npm failed
 * @throws CliError if npm cannot be started
 */
export async function npmPack(folder: string, args: readonly string[]): Promise<Packed | { readonly failure: string }> {
  const { code, stdout, stderr } = await runNpm(folder, ['pack', '--json', '--foreground-scripts=false', ...args]);
  if (code === 0) {
    const packed = parsePacked(stdout);
    if (packed) return packed;
  }
  return { failure: stderr.trim() || stdout.trim() || `npm ended with ${code}` };
}

/** Reads the output: a list with one package, or, from later versions of npm, an object with the package by name. */
function parsePacked(stdout: string): Packed | undefined {
  try {
    const [packed] = Object.values(JSON.parse(stdout) as Record<string, Packed>);
    return packed && Array.isArray(packed.files) ? packed : undefined;
  } catch {
    return undefined;
  }
}

async function runNpm(cwd: string, args: readonly string[]) {
  const environment = Object.entries(withoutSettings(process.env)).filter(([, value]) => value !== undefined);
  const command = commandLine('npm', args, Object.fromEntries(environment) as Record<string, string>);
  const { file, env, options } = command;
  const child = spawn(file, command.args, {
    cwd,
    env,
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    const [stdout, stderr] = await output;
    return { code, stdout, stderr };
  } catch (error) {
    throw new CliError('failed', {
      message: `npm cannot be started: ${(error as Error).message}`,
      hint: 'Install npm, which comes with Node.js, and put it on PATH.',
    });
  }
}
