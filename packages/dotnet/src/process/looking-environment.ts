import { join } from 'node:path';
import { homeFolder } from '@mortise/plugin/runtime';
import { isSecretVariable } from './secret-names.js';

/** The user's folder of NuGet packages. */
export function packagesFolder({ NUGET_PACKAGES }: Readonly<Record<string, string | undefined>>): string {
  return NUGET_PACKAGES || join(homeFolder(), '.nuget', 'packages');
}

/**
 * What an evaluation for an action that only looks gets in addition to the environment of every command
 * (docs/spec/dotnet-runtime.md#evaluation-environment): no function of .NET beyond MSBuild's own list, no logger, the
 * reports of imports on which the project reader relies, and no variable whose name says that it holds a secret. A
 * repository does not choose the folder from which SDKs are taken.
 */
export function lookingEnvironment(environment: Readonly<Record<string, string>>): Record<string, string> {
  const secrets = Object.keys(environment).filter(isSecretVariable);
  return {
    ...Object.fromEntries(secrets.map((name) => [name, ''])),
    // An evaluation ends before what the runtime learns of its code pays off (a fifth of the time of fifty projects, SDK 10.0.401).
    DOTNET_TieredPGO: environment.DOTNET_TieredPGO ?? '0',
    DOTNET_CLI_USE_MSBUILD_SERVER: '0',
    MSBUILDENABLEALLPROPERTYFUNCTIONS: '0',
    MSBUILDLOGIMPORTS: '1',
    MSBUILD_LOGGING_ARGS: '',
    NUGET_PACKAGES: packagesFolder(environment),
  };
}
