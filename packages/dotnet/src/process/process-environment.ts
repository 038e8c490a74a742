import { withoutSettings } from '@mortise/plugin/runtime';

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
 * The environment of every command: what was inherited without the server's own settings, and what makes the CLI's output readable. A user's own answer on
 * telemetry and the first-run text stays.
 * @param withheld variables that are for others, as `variableKey` writes them
 */
export function commandEnvironment(
  inherited: NodeJS.ProcessEnv,
  withheld?: ReadonlySet<string>,
): Record<string, string> {
  return { ...UNLESS_SET, ...withoutSettings(inherited, withheld), ...ALWAYS };
}
