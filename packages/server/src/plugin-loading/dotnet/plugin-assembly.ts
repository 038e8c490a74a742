import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type PluginProblem, readRegularFile, UnreadableFileError } from '@mortise/plugin/runtime';
import { tryOs } from '../../util/ignore-os-errors.js';
import { type AssemblyInfo, parseAssembly } from './assembly.js';

/** The assembly with the contract of C# plugins. */
export const ABSTRACTIONS = 'McpServer.Plugin.Abstractions';

/** Of all that a plugin needs beside it; more is not followed. */
const MAX_ASSEMBLIES = 500;

/**
 * Whether a `.dll` is meant as a plugin (docs/spec/plugins.md#ignored-files): it refers to the contract, or to an
 * assembly beside it that does, as one whose classes have their base class there; or it is broken and may. Native
 * libraries, the contract itself and other dependencies are not.
 */
export function isDotnetPlugin(file: string): boolean {
  const details = detailsOf(file);
  if (details.kind !== 'assembly') return details.kind !== 'native';
  return assemblyFiles(file).slice(1).some(isContract) && !isContract(file);
}

/** Of larger files only the beginning is read: it tells whether there is .NET code in them. */
const MAX_READ_BYTES = 64 * 1024 * 1024;
const HEAD_BYTES = 64 * 1024;

/** @throws UnreadableFileError of what is not a file, such as a named pipe */
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

/** Why a plugin's assembly cannot be loaded at all, where the file alone says so. */
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
 * The files that a plugin's assembly is loaded with: what the SDK writes about it, and the assemblies beside it that it
 * refers to, and theirs. Those that are not there are in the list too, since they may come.
 */
export function assemblyFiles(entry: string): string[] {
  // Where a link leads, there its dependencies are.
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
