import { join } from 'node:path';
import { homeFolder, withoutSettings } from '@mortise/plugin/runtime';
import { isSecretVariable } from './secret-names.js';

/**
 * Without these the output cannot be read: English, no colours, plain lines, no banner
 * (docs/spec/dotnet-runtime.md#command-environment).
 */
const ALWAYS = {
  DOTNET_CLI_UI_LANGUAGE: 'en',
  VSLANG: '1033',
  DOTNET_NOLOGO: '1',
  NO_COLOR: '1',
  MSBUILDTERMINALLOGGER: 'off',
} as const;

const UNLESS_SET = {
  DOTNET_SKIP_FIRST_TIME_EXPERIENCE: '1',
  DOTNET_CLI_TELEMETRY_OPTOUT: '1',
} as const;

/**
 * The environment of every command: what was inherited without the server's own settings, and what makes the CLI's output
 * readable. A user's own answer on telemetry and the first-run text stays.
 * @param withheld variables that are for others, as `variableKey` writes them
 */
export function commandEnvironment(
  inherited: NodeJS.ProcessEnv,
  withheld?: ReadonlySet<string>,
): Record<string, string> {
  return { ...UNLESS_SET, ...withoutSettings(inherited, withheld), ...ALWAYS };
}

/** The user's folder of NuGet packages. */
export function packagesFolder({ NUGET_PACKAGES }: Readonly<Record<string, string | undefined>>): string {
  return NUGET_PACKAGES || join(homeFolder(), '.nuget', 'packages');
}

/**
 * What an evaluation for an action that only looks gets in addition to the environment of every command
 * (docs/spec/dotnet-evaluation.md#evaluation-environment): no function of .NET beyond MSBuild's own list, no logger, the
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
