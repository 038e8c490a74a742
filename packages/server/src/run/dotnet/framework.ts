import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { JsonValue } from '@mortise/plugin';
import { isJsonObject, readRegularText } from '@mortise/plugin/runtime';
import { assemblyFiles } from '../../plugins/find/plugin-assembly.js';
import { realPath, tryOs } from '../../util/ignore-os-errors.js';

const ASPNET_CORE = 'Microsoft.AspNetCore.App';

/**
 * True if a plugin needs ASP.NET Core in addition to .NET. The SDK writes this into runtimeconfig.json. Without that
 * file, a plugin needs it if it references ASP.NET Core assemblies that are not beside it.
 * @param file the plugin's assembly
 */
export function needsAspNetCore(file: string): boolean {
  const frameworks = namedFrameworks(realPath(file).replace(/\.dll$/, '.runtimeconfig.json'));
  if (frameworks) return frameworks.includes(ASPNET_CORE);
  return assemblyFiles(file).some(
    (assemblyFile) => basename(assemblyFile).startsWith('Microsoft.AspNetCore.') && !existsSync(assemblyFile),
  );
}

/** The frameworks in a runtimeconfig.json; undefined if the file does not exist or names none. */
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
