import { existsSync } from 'node:fs';
import { packagePath } from '../../util/package-root.js';

const ASSEMBLY = 'Mortise.PluginHost.dll';
/** `npm run build` builds the host into this folder, which is packed with the server. */
const FOLDER = packagePath('plugin-host/');

/** The folder of the host for C# plugins, or undefined if it was not built. */
export function findPluginHost(): string | undefined {
  return existsSync(`${FOLDER}${ASSEMBLY}`) ? FOLDER : undefined;
}

/** The arguments of `dotnet exec` before the plugin's path, to run the host in that folder. */
export function hostArguments(folder: string, withAspNetCore: boolean): string[] {
  // The build writes this second configuration, which names ASP.NET Core (Mortise.PluginHost.csproj).
  const config = `${folder}Mortise.PluginHost.aspnetcore.runtimeconfig.json`;
  return [...(withAspNetCore ? ['--runtimeconfig', config] : []), `${folder}${ASSEMBLY}`];
}
