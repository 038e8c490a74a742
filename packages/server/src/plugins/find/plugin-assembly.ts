import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type PluginProblem, readRegularFile, UnreadableFileError } from '@mortise/plugin/runtime';
import { tryOs } from '../../util/ignore-os-errors.js';
import { type AssemblyInfo, parseAssembly } from './assembly.js';

/** The name of the assembly with the plugin API for C#. */
export const ABSTRACTIONS = 'McpServer.Plugin.Abstractions';

/** Maximum number of assemblies next to a plugin whose references are followed. */
const MAX_ASSEMBLIES = 500;

/**
 * True if a `.dll` is meant as a plugin (docs/spec/plugins.md#ignored-files): it references the plugin API, directly or
 * by an assembly next to it that contains a base class, for example, or it is broken and could be a plugin. Native
 * libraries, the plugin API itself and other dependencies are not plugins.
 * @throws UnreadableFileError if it is not a file; an error of the operating system if it cannot be read
 */
export function isDotnetPlugin(file: string): boolean {
  const details = detailsOf(file);
  if (details.kind !== 'assembly') return details.kind !== 'native';
  return assemblyFiles(file).slice(1).some(isContract) && !isContract(file);
}

/** Of a larger file only the head is read, which shows whether the file contains .NET code. */
const MAX_READ_BYTES = 64 * 1024 * 1024;
const HEAD_BYTES = 64 * 1024;

/** @throws UnreadableFileError for anything that is not a file, for example a named pipe */
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

/** Returns a problem if the file is missing, unreadable or not a valid assembly. Never throws. */
export function assemblyProblem(file: string): PluginProblem | undefined {
  const reason = faultOf(file);
  if (reason === undefined) return undefined;
  return {
    severity: 'error',
    code: 'PLUGIN_SYNTAX_ERROR',
    message: `'${basename(file)}' is not a valid .NET assembly: ${reason}`,
    hint: 'Build the plugin again, or copy the file again.',
    location: { file },
  };
}

function faultOf(file: string): string | undefined {
  try {
    const details = detailsOf(file);
    return details.kind === 'broken' ? details.reason : undefined;
  } catch (error) {
    if (error instanceof UnreadableFileError) return error.why;
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it does not exist' : (error as Error).message;
  }
}

/**
 * Returns the files that are loaded with a plugin's assembly: the assembly itself, the assemblies next to it that it
 * references directly or indirectly, and its `.deps.json` and `.runtimeconfig.json`. Includes files that do not exist,
 * because they may be added.
 */
export function assemblyFiles(entry: string): string[] {
  // If the entry is a link, its dependencies are next to the target.
  const file = tryOs(() => realpathSync(entry)) ?? entry;
  const folder = dirname(file);
  const assemblies = new Set([file]);
  for (const assembly of assemblies) {
    const details = tryOs(() => detailsOf(assembly));
    if (details?.kind !== 'assembly') continue;
    for (const name of details.references) {
      if (assemblies.size < MAX_ASSEMBLIES) assemblies.add(join(folder, `${name}.dll`));
    }
  }
  const sdkFiles = ['.deps.json', '.runtimeconfig.json'].map((extension) => file.replace(/\.dll$/, extension));
  return [entry, ...assemblies, ...sdkFiles];
}
