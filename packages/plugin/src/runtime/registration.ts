import { configSchemaOf, type DefinedPlugin } from '../define-plugin.js';
import type { JsonObject } from '../json.js';
import type { RegisterApi } from '../register.js';
import { isStandardSchema } from '../standard-schema.js';
import type { PluginHost } from './plugin-instance.js';
import { type SettingsRequest, secretPaths } from './plugin-settings.js';
import type { PluginProblem } from './problem.js';
import { readConfig } from './read-config.js';
import { type ExportedValue, isToolClass, isToolObject, type ModuleExports } from './tool-exports.js';
import { tryRead } from './try-read.js';

export interface Registration {
  /** undefined if the settings are wrong. The plugin is then disabled. */
  readonly register?: ((api: RegisterApi) => unknown) | undefined;
  readonly problems: PluginProblem[];
  readonly settings?: SettingsRequest;
  readonly dataDir: string;
  readonly instructions?: string | undefined;
  /** The plugin's section of the settings. */
  readonly values?: JsonObject;
}

interface Loading {
  /** The absolute path of the module, for messages. */
  readonly file: string;
  readonly host: PluginHost;
}

/**
 * Finds the plugin of `definePlugin` and validates its settings, or else finds `register(api)`. undefined if the module
 * has neither. Never rejects.
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

/** Requests the settings with the paths of secrets, so that the server redacts them before anything can print them. */
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
 * Finds `register` of the module or of its default export. Otherwise takes the default export if it is a function with
 * one parameter, as `module.exports` of CommonJS often is, and the module has no tools.
 */
function findRegister({ exported }: ModuleExports): ((api: RegisterApi) => unknown) | undefined {
  const isRegister = ({ name, value }: ExportedValue) =>
    typeof value === 'function' && (name === 'register' || (name === 'default' && value.name === 'register'));
  const hasTools = exported.some(({ value }) => isToolClass(value) || isToolObject(value));
  const register = exported.find(isRegister) ?? (hasTools ? undefined : exported.find(isFunctionOfApi));
  return register && ((api) => (register.value as (api: RegisterApi) => unknown).call(register.holder, api));
}

const isFunctionOfApi = ({ name, value }: ExportedValue): boolean =>
  name === 'default' &&
  typeof value === 'function' &&
  value.length === 1 &&
  !isStandardSchema(value) &&
  !/^class\b/.test(Function.prototype.toString.call(value));
