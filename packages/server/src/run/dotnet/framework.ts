import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { JsonValue } from '@mortise/plugin';
import { isJsonObject, readRegularText } from '@mortise/plugin/runtime';
import { assemblyFiles } from '../../plugins/find/plugin-assembly.js';
import { realPath, tryOs } from '../../util/ignore-os-errors.js';

const ASPNET_CORE = 'Microsoft.AspNetCore.App';

/**
 * Whether a plugin needs ASP.NET Core in addition to .NET, according to its runtimeconfig.json, which the SDK writes, or else to
 * references that are not next to it. @param file of the plugin
 */
export function needsAspNetCore(file: string): boolean {
  const frameworks = namedFrameworks(realPath(file).replace(/\.dll$/, '.runtimeconfig.json'));
  if (frameworks) return frameworks.includes(ASPNET_CORE);
  return assemblyFiles(file).some(
    (assemblyFile) => basename(assemblyFile).startsWith('Microsoft.AspNetCore.') && !existsSync(assemblyFile),
  );
}

/** Undefined if the file does not exist, or names none. */
function namedFrameworks(configFile: string): unknown[] | undefined {
  const text = tryOs(() => readRegularText(configFile));
  const config = text === undefined ? undefined : parse(text);
  const options = isJsonObject(config) ? config.runtimeOptions : undefined;
  if (!isJsonObject(options)) return undefined;
  const named = Array.isArray(options.frameworks) ? options.frameworks : [options.framework];
  const names = named.filter(isJsonObject).map(({ name }) => name);
  return names.length > 0 ? names : undefined;
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
