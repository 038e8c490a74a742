/** The sections of the server's configuration. An environment variable `<Section>__…` is one of its settings. */
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
  'Telemetry',
] as const;

const NAMES: ReadonlySet<string> = new Set(SETTINGS_SECTIONS.map((section) => section.toLowerCase()));

/** The name of a variable in the form in which names are compared: on Windows they have no case. */
export const variableKey: (name: string) => string =
  process.platform === 'win32' ? (name) => name.toUpperCase() : (name) => name;

/**
 * A copy of an environment without the settings of the server, which can be access keys and other secrets. The environment of
 * every process that the server starts begins with it. A variable is a setting if its name up to the first `__` is a section,
 * in upper or lower case; `LOG` alone is not.
 * @param withheld further variables to leave out, as {@link variableKey} writes their names
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
