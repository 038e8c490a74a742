import { variableKey, withoutSettings } from '@mortise/plugin/runtime';
import { type FetchedVariable, MOUNTED_SERVERS, PLUGIN_SETTINGS } from './setting-owner.js';
import type { EnvironmentChoice, Settings } from './settings.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** The inputs that determine the environment of a plugin. */
export interface EnvironmentSources {
  readonly settings: Pick<Settings, 'Plugins'>;
  readonly fetched: readonly FetchedVariable[];
  /** The environment of the server. */
  readonly env: Variables;
}

/** The variables without which many programs do not run. The list for Windows has not been tried. */
const PLATFORM_VARIABLES =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'COMSPEC',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PATHEXT',
        'PROCESSOR_ARCHITECTURE',
        'PROGRAMDATA',
        'PROGRAMFILES',
        'PROGRAMFILES(X86)',
        'PROGRAMW6432',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'TMP',
        'USERNAME',
        'USERPROFILE',
        'WINDIR',
      ]
    : ['HOME', 'LANG', 'LANGUAGE', 'LOGNAME', 'PATH', 'SHELL', 'TEMP', 'TERM', 'TMP', 'TMPDIR', 'TZ', 'USER'];

const USUAL_VARIABLES: ReadonlySet<string> = new Set([
  ...PLATFORM_VARIABLES,
  ...['ALL_PROXY', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'],
  ...['CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'SSL_CERT_DIR', 'SSL_CERT_FILE'],
]);

const LOCALE = /^LC_[A-Z]+$/;

/** Ignores case, because Windows spells PATH as Path, and the names of proxy variables occur in both cases. */
const isUsual = (name: string): boolean => USUAL_VARIABLES.has(name.toUpperCase()) || LOCALE.test(name);

interface EnvironmentOwner {
  readonly name: string;
  /** For a mounted server, the path of its setting, such as `Plugins.McpServers.github`. */
  readonly path?: string;
}

/**
 * Returns the environment of a plugin's process, also for C# plugins and mounted servers. Only this function decides
 * which variables reach which plugin (docs/spec/configuration.md#plugin-environment).
 * @param plugin undefined for the environment of plugins that no setting names
 */
export function pluginEnvironment(
  { settings: { Plugins }, fetched, env }: EnvironmentSources,
  plugin?: EnvironmentOwner & { readonly isMounted: boolean },
): Record<string, string> {
  const ownChoice = plugin && memberOf(Plugins.Environments, plugin.name);
  const choice = ownChoice ?? (plugin?.isMounted && Plugins.Environment === 'inherit' ? 'usual' : Plugins.Environment);
  const withheldKeys = withheldFrom({ fetched, shareConfig: Plugins.ShareConfig, plugin });
  const ownKeys = new Set(namesIn(ownChoice).map(variableKey));
  const listedKeys = new Set(namesIn(choice).map(variableKey));
  const passes = (name: string) => {
    const key = variableKey(name);
    if (ownKeys.has(key)) return true;
    return (
      !withheldKeys.has(key) &&
      (choice === 'inherit' || isUsual(name) || listedKeys.has(key) || isFetchedFor(plugin, name, fetched))
    );
  };
  return Object.fromEntries(Object.entries(withoutSettings(env)).filter(([name]) => passes(name)));
}

/** Returns the names of fetched variables that reach a plugin only if its own settings fetch or list them. */
export function withheldNames({ settings: { Plugins }, fetched }: Omit<EnvironmentSources, 'env'>): string[] {
  return [...withheldFrom({ fetched, shareConfig: Plugins.ShareConfig, plugin: undefined })];
}

/**
 * Returns the keys of the fetched variables that this plugin gets only if its own environment list names them. The
 * variables that were fetched for the plugin itself are not among them, nor those of a shared `Plugins.Config`.
 */
function withheldFrom({
  fetched,
  shareConfig,
  plugin,
}: {
  readonly fetched: readonly FetchedVariable[];
  readonly shareConfig: boolean;
  readonly plugin: EnvironmentOwner | undefined;
}): Set<string> {
  const isShared = ({ key }: FetchedVariable) => shareConfig && /^Plugins\.Config(?:$|[.[])/.test(key);
  const allowedKeys = new Set(
    fetched.filter((variable) => isShared(variable) || isOwn(plugin, variable)).map(({ name }) => variableKey(name)),
  );
  return new Set(fetched.map(({ name }) => variableKey(name)).filter((key) => !allowedKeys.has(key)));
}

const isFetchedFor = (plugin: EnvironmentOwner | undefined, name: string, fetched: readonly FetchedVariable[]) =>
  fetched.some((variable) => variableKey(variable.name) === variableKey(name) && isOwn(plugin, variable));

function isOwn(plugin: EnvironmentOwner | undefined, { owner }: FetchedVariable): boolean {
  if (plugin === undefined || owner === undefined) return false;
  if (owner.section === MOUNTED_SERVERS) return `${MOUNTED_SERVERS}.${owner.name}` === plugin.path;
  return owner.section === PLUGIN_SETTINGS && owner.name.toLowerCase() === plugin.name.toLowerCase();
}

const namesIn = (choice: EnvironmentChoice | undefined): readonly string[] =>
  choice === undefined || typeof choice === 'string' ? [] : choice;

function memberOf<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  const key = Object.keys(map).find((member) => member.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : map[key];
}
