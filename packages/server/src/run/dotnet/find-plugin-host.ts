import { existsSync } from 'node:fs';
import { packagePath } from '../../util/package-root.js';

const ASSEMBLY = 'Mortise.PluginHost.dll';
/** Built there by `npm run build`, and packed with the server. */
const FOLDER = packagePath('plugin-host/');

/** The folder of the host for C# plugins, where it was built. */
export function findPluginHost(): string | undefined {
  return existsSync(`${FOLDER}${ASSEMBLY}`) ? FOLDER : undefined;
}

/** What `dotnet exec` is given to run the host in that folder, before the plugin. */
export function hostArguments(folder: string, withAspNetCore: boolean): string[] {
  // Its own configuration, on that framework: the build writes it (Mortise.PluginHost.csproj).
  const config = `${folder}Mortise.PluginHost.aspnetcore.runtimeconfig.json`;
  return [...(withAspNetCore ? ['--runtimeconfig', config] : []), `${folder}${ASSEMBLY}`];
}
