import { configSchemaOf, type DefinedPlugin } from '../define-plugin.js';
import type { JsonObject } from '../json.js';
import type { RegisterApi } from '../register.js';
import { isStandardSchema } from '../standard-schema.js';
import { tryRead } from './likely-mistakes.js';
import type { PluginHost } from './plugin-instance.js';
import { type SettingsRequest, secretPaths } from './plugin-settings.js';
import type { PluginProblem } from './problem.js';
import { readConfig } from './read-config.js';
import { type Exported, isToolClass, isToolObject, type ModuleExports } from './tool-exports.js';

/** What a module registers by. */
export interface Registration {
  /** Undefined where the settings do not allow it: the plugin is disabled. */
  readonly register?: ((api: RegisterApi) => unknown) | undefined;
  readonly problems: PluginProblem[];
  /** What the plugin asked for of its settings. */
  readonly settings?: SettingsRequest;
  readonly dataDir: string;
  /** What models should know of the plugin. */
  readonly instructions?: string | undefined;
  /** The values of the section that it asked for. */
  readonly values?: JsonObject;
}

interface Loading {
  /** The absolute path of the module, for messages. */
  readonly file: string;
  readonly host: PluginHost;
}

/**
 * What `definePlugin` made, with its settings checked; else `register(api)`. Undefined where the module has neither. Never rejects.
 */
export async function findRegistration(
  moduleExports: ModuleExports,
  loading: Loading,
): Promise<Registration | undefined> {
  const values = moduleExports.exported.map(({ value }) => value);
  const plugin = values.find((value) => tryRead(() => configSchemaOf(value)) !== undefined);
  if (plugin !== undefined) return settingsFor(plugin as DefinedPlugin, loading);
  const register = findRegister(moduleExports);
  return register && { register, problems: [], dataDir: loading.host.dataDir };
}

/** The host hears of the secrets first: what the check or the plugin says of them is redacted. */
async function settingsFor(plugin: DefinedPlugin, { file, host }: Loading): Promise<Registration> {
  const { schema } = configSchemaOf(plugin)!;
  const { name } = plugin;
  const request = { ...(name !== undefined && { name }), secrets: schema ? secretPaths(schema.json) : [] };
  const settings = await host.ownSettings(request);
  if ('problem' in settings) return { problems: [settings.problem], dataDir: host.dataDir };
  const { instructions } = plugin;
  const common = { settings: request, dataDir: settings.dataDir, values: settings.values, instructions };
  if (schema === undefined) return { register: (api) => plugin.register(api), problems: [], ...common };
  const { problems, ...config } = await readConfig(schema, settings, file);
  const register = 'value' in config ? (api: RegisterApi) => plugin.register(api, config.value) : undefined;
  return { register, problems, ...common };
}

/**
 * `register` of the module or of its default export; else the default export, if it is a function of one parameter and the module has no
 * tools of its own: what `module.exports` of CommonJS often is.
 */
function findRegister({ exported }: ModuleExports): ((api: RegisterApi) => unknown) | undefined {
  const isRegister = ({ name, value }: Exported) =>
    typeof value === 'function' && (name === 'register' || (name === 'default' && value.name === 'register'));
  const hasTools = exported.some(({ value }) => isToolClass(value) || isToolObject(value));
  const found = exported.find(isRegister) ?? (hasTools ? undefined : exported.find(isFunctionOfApi));
  return found && ((api) => (found.value as (api: RegisterApi) => unknown).call(found.holder, api));
}

const isFunctionOfApi = ({ name, value }: Exported): boolean =>
  name === 'default' &&
  typeof value === 'function' &&
  value.length === 1 &&
  !isStandardSchema(value) &&
  !/^class\b/.test(Function.prototype.toString.call(value));
