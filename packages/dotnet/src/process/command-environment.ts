import { join } from 'node:path';
import { homeFolder, withoutSettings } from '@mortise/plugin/runtime';
import { isSecretVariable } from './secret-names.js';

/**
 * Makes the output readable for parsers: English, no colours, plain lines, no banner
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
 * Returns the environment of every command: the inherited variables without the server's settings, and variables that
 * make the CLI's output readable. A user's own choice about telemetry and the first-run text is kept.
 * @param withheld the inherited variables that commands must not get, as `variableKey` writes them
 */
export function commandEnvironment(
  inherited: NodeJS.ProcessEnv,
  withheld?: ReadonlySet<string>,
): Record<string, string> {
  return { ...UNLESS_SET, ...withoutSettings(inherited, withheld), ...ALWAYS };
}

/** Returns the user's folder of NuGet packages. */
export function packagesFolder({ NUGET_PACKAGES }: Readonly<Record<string, string | undefined>>): string {
  return NUGET_PACKAGES || join(homeFolder(), '.nuget', 'packages');
}

/**
 * Returns the variables that an evaluation for a read-only action gets in addition to the environment of every command
 * (docs/spec/dotnet-evaluation.md#evaluation-environment). They allow only the .NET functions of MSBuild's own list, and
 * no logger. They make MSBuild report imports, because the judgement of files relies on these reports. They clear
 * variables whose names indicate a secret. They fix the folder from which MSBuild SDKs are loaded, so that the repository
 * cannot choose it.
 */
export function readOnlyEnvironment(environment: Readonly<Record<string, string>>): Record<string, string> {
  const secrets = Object.keys(environment).filter(isSecretVariable);
  return {
    ...Object.fromEntries(secrets.map((name) => [name, ''])),
    // Profile-guided optimisation costs more than it saves: a fifth of the time for fifty projects (SDK 10.0.401).
    DOTNET_TieredPGO: environment.DOTNET_TieredPGO ?? '0',
    DOTNET_CLI_USE_MSBUILD_SERVER: '0',
    MSBUILDENABLEALLPROPERTYFUNCTIONS: '0',
    MSBUILDLOGIMPORTS: '1',
    MSBUILD_LOGGING_ARGS: '',
    NUGET_PACKAGES: packagesFolder(environment),
  };
}
