import { type Command, InvalidArgumentError, Option } from 'commander';
import type { LoadOptions, SettingsOverrides } from '../../settings/load.js';
import { readProcessEnvironment } from '../../settings/process-environment.js';
import type { SettingsLogLevel } from '../../settings/settings.js';
import { SETTINGS_LOG_LEVELS } from '../../settings/settings-table.js';

/** The values of the options that all commands with settings have. */
export interface SettingsOptions {
  readonly config?: string;
  readonly plugins?: string;
  readonly logLevel?: SettingsLogLevel;
}

/** Adds these options to the program, so that they are allowed before and after the name of a command. */
export function addSettingsOptions(program: Command): Command {
  return program
    .option('--config <file>', 'the configuration file (a file named here is trusted)')
    .option('--plugins <folder>', 'load plugins from there (overrides Plugins.Directory)')
    .addOption(new Option('--log-level <level>', 'the minimum log level on stderr').choices(SETTINGS_LOG_LEVELS));
}

/** Returns the options for loading the settings. Values of the command line override `overrides`. */
export function loadOptionsFor(options: SettingsOptions, overrides: SettingsOverrides = {}): LoadOptions {
  const { config, plugins, logLevel } = options;
  return {
    ...readProcessEnvironment(),
    ...(config === undefined ? {} : { configPath: config }),
    overrides: {
      ...overrides,
      ...(plugins === undefined ? {} : { Plugins: { ...overrides.Plugins, Directory: [plugins] } }),
      ...(logLevel === undefined ? {} : { Log: { Level: logLevel } }),
    },
  };
}

/** Collects the values of an option that can be repeated. */
export const repeated = (value: string, all: readonly string[] = []): string[] => [...all, value];

/** Parses a whole number. The schema of the setting checks its range. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
