/** The sections of the server's configuration. An environment variable named `<Section>__…` is a setting. */
export const SETTINGS_SECTIONS = [
  'Plugins',
  'Tools',
  'Tasks',
  'Output',
  'Redaction',
  'Concurrency',
  'Http',
  'Auth',
  'Profiles',
  'Dotnet',
  'Sessions',
  'Log',
  'Limits',
  'Audit',
  'State',
  'Telemetry',
] as const;

const NAMES: ReadonlySet<string> = new Set(SETTINGS_SECTIONS.map((section) => section.toLowerCase()));

/** The name of an environment variable for comparisons. On Windows names are case-insensitive. */
export const variableKey: (name: string) => string =
  process.platform === 'win32' ? (name) => name.toUpperCase() : (name) => name;

/**
 * Copies an environment without the server's settings, which can contain access keys and other secrets. The server
 * passes such a copy to every process that it starts. A variable is a setting if the part of its name before the first
 * `__` is a section, in any letter case; `LOG` alone is not.
 * @param withheld further variables to omit, with names as {@link variableKey} writes them
 */
export function withoutSettings(
  env: Readonly<Record<string, string | undefined>>,
  withheld?: ReadonlySet<string>,
): Record<string, string> {
  const entries = Object.entries(env).filter(
    ([name, value]) => value !== undefined && !isSetting(name) && !withheld?.has(variableKey(name)),
  );
  return Object.fromEntries(entries) as Record<string, string>;
}

function isSetting(name: string): boolean {
  const end = name.indexOf('__');
  return end > 0 && NAMES.has(name.slice(0, end).toLowerCase());
}
