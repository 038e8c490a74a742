import { variableKey, withoutSettings } from '@mortise/plugin/runtime';
import { type FetchedVariable, MOUNTED_SERVERS, PLUGIN_SETTINGS } from './setting-owner.js';
import type { EnvironmentChoice, Settings } from './settings.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** What the environment of a plugin depends on. */
export interface EnvironmentSources {
  readonly settings: Pick<Settings, 'Plugins'>;
  readonly fetched: readonly FetchedVariable[];
  /** The environment of the server. */
  readonly env: Variables;
}

/** Platform module: what a program needs of its surroundings to run at all. Windows' list is untried. */
const OF_PLATFORM =
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

const USUAL: ReadonlySet<string> = new Set([
  ...OF_PLATFORM,
  ...['ALL_PROXY', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'],
  ...['CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'SSL_CERT_DIR', 'SSL_CERT_FILE'],
]);

const LOCALE = /^LC_[A-Z]+$/;

/** Windows spells PATH as Path, and a proxy is named in either case. */
const isUsual = (name: string): boolean => USUAL.has(name.toUpperCase()) || LOCALE.test(name);

interface PluginOfEnvironment {
  readonly name: string;
  /** Of a mounted server: the key of its entry in the settings, because its name can be spelled otherwise. */
  readonly path?: string;
}

/**
 * The environment of a plugin's process, C# plugins and mounted servers included: the only place that decides what reaches
 * which (docs/spec/configuration.md#plugin-environment). Without a plugin: what reaches those that no setting names.
 */
export function pluginEnvironment(
  { settings: { Plugins }, fetched, env }: EnvironmentSources,
  plugin?: PluginOfEnvironment & { readonly isMounted: boolean },
): Record<string, string> {
  const named = plugin && memberOf(Plugins.Environments, plugin.name);
  const choice = named ?? (plugin?.isMounted && Plugins.Environment === 'inherit' ? 'usual' : Plugins.Environment);
  const withheld = withheldFrom({ fetched, shareConfig: Plugins.ShareConfig, plugin });
  const given = new Set(namesIn(named).map(variableKey));
  const listed = new Set(namesIn(choice).map(variableKey));
  const passes = (name: string) => {
    const key = variableKey(name);
    if (given.has(key)) return true;
    return (
      !withheld.has(key) && (choice === 'inherit' || isUsual(name) || listed.has(key) || isFor(plugin, name, fetched))
    );
  };
  return Object.fromEntries(Object.entries(withoutSettings(env)).filter(([name]) => passes(name)));
}

/** The names of the variables that no plugin gets unless they were fetched for it. */
export function withheldNames({ settings: { Plugins }, fetched }: Omit<EnvironmentSources, 'env'>): string[] {
  return [...withheldFrom({ fetched, shareConfig: Plugins.ShareConfig, plugin: undefined })];
}

/**
 * The variables that the settings fetch and that this plugin does not get. It gets those that are fetched for itself and, while
 * `Plugins.Config` is shared, those that are fetched there.
 */
function withheldFrom({
  fetched,
  shareConfig,
  plugin,
}: {
  readonly fetched: readonly FetchedVariable[];
  readonly shareConfig: boolean;
  readonly plugin: PluginOfEnvironment | undefined;
}): Set<string> {
  const isShared = ({ key }: FetchedVariable) => shareConfig && /^Plugins\.Config(?:$|[.[])/.test(key);
  const open = new Set(
    fetched.filter((one) => isShared(one) || isOwn(plugin, one)).map(({ name }) => variableKey(name)),
  );
  return new Set(fetched.map(({ name }) => variableKey(name)).filter((name) => !open.has(name)));
}

const isFor = (plugin: PluginOfEnvironment | undefined, name: string, fetched: readonly FetchedVariable[]) =>
  fetched.some((one) => variableKey(one.name) === variableKey(name) && isOwn(plugin, one));

function isOwn(plugin: PluginOfEnvironment | undefined, { owner }: FetchedVariable): boolean {
  if (plugin === undefined || owner === undefined) return false;
  if (owner.section === MOUNTED_SERVERS) return `${MOUNTED_SERVERS}.${owner.name}` === plugin.path;
  return owner.section === PLUGIN_SETTINGS && owner.name.toLowerCase() === plugin.name.toLowerCase();
}

const namesIn = (choice: EnvironmentChoice | undefined): readonly string[] =>
  choice === undefined || typeof choice === 'string' ? [] : choice;

function memberOf<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  const key = Object.keys(map).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : map[key];
}
