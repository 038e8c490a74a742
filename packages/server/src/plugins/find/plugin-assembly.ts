import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type PluginProblem, readRegularFile, UnreadableFileError } from '@mortise/plugin/runtime';
import { tryOs } from '../../util/ignore-os-errors.js';
import { type AssemblyInfo, parseAssembly } from './assembly.js';

/** The assembly with the contract of C# plugins. */
export const ABSTRACTIONS = 'McpServer.Plugin.Abstractions';

/** The maximum number of assemblies next to a plugin that are followed. */
const MAX_ASSEMBLIES = 500;

/**
 * Whether a `.dll` is meant as a plugin (docs/spec/plugins.md#ignored-files): it refers to the plugin API, or to an
 * assembly next to it that does (for example if its classes have their base class there), or it is broken and could be one. Native
 * libraries, the plugin API itself and other dependencies are not.
 */
export function isDotnetPlugin(file: string): boolean {
  const details = detailsOf(file);
  if (details.kind !== 'assembly') return details.kind !== 'native';
  return assemblyFiles(file).slice(1).some(isContract) && !isContract(file);
}

/** Only this much of larger files is read; the beginning shows whether they contain .NET code. */
const MAX_READ_BYTES = 64 * 1024 * 1024;
const HEAD_BYTES = 64 * 1024;

/** @throws UnreadableFileError if it is not a file, for example a named pipe */
function detailsOf(file: string): AssemblyInfo {
  const stats = statSync(file);
  if (stats.isFile() && stats.size > MAX_READ_BYTES) return parseAssembly(headOf(file), stats.size);
  return parseAssembly(readRegularFile(file));
}

function headOf(file: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.subarray(0, readSync(descriptor, head));
  } finally {
    closeSync(descriptor);
  }
}

const isContract = (file: string) => basename(file) === `${ABSTRACTIONS}.dll`;

/** Why a plugin's assembly cannot be loaded at all, if the file alone shows it. */
export function assemblyProblem(file: string): PluginProblem | undefined {
  const reason = whyUnusable(file);
  if (reason === undefined) return undefined;
  return {
    severity: 'error',
    code: 'PLUGIN_SYNTAX_ERROR',
    message: `'${basename(file)}' is not a valid .NET assembly: ${reason}`,
    hint: 'Build the plugin again, or copy the file again.',
    location: { file },
  };
}

function whyUnusable(file: string): string | undefined {
  try {
    const details = detailsOf(file);
    return details.kind === 'broken' ? details.reason : undefined;
  } catch (error) {
    if (error instanceof UnreadableFileError) return error.why;
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it does not exist' : (error as Error).message;
  }
}

/**
 * The files that a plugin's assembly is loaded with: the SDK's files about it, and the assemblies next to it that it
 * refers to directly or indirectly. Missing files are listed too, because they may be added.
 */
export function assemblyFiles(entry: string): string[] {
  // The dependencies are next to the target of a link.
  const file = tryOs(() => realpathSync(entry)) ?? entry;
  const folder = dirname(file);
  const found = new Set([file]);
  for (const assembly of found) {
    const details = tryOs(() => detailsOf(assembly));
    if (details?.kind !== 'assembly') continue;
    for (const name of details.references) if (found.size < MAX_ASSEMBLIES) found.add(join(folder, `${name}.dll`));
  }
  return [entry, ...found, ...['.deps.json', '.runtimeconfig.json'].map((end) => file.replace(/\.dll$/, end))];
}
