import { randomUUID } from 'node:crypto';
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { LoadOptions } from '../../settings/load.js';
import { createTrustStore } from '../../settings/trusted-config.js';
import { type ConfigChange, resolveTarget } from './plugin-location.js';
import { type Scaffolded, scaffold } from './scaffold.js';
import { cannotWrite } from './scaffold-error.js';

/** The result of `mortise new`. Paths are absolute. */
export interface NewPlugin {
  readonly folder: string;
  readonly toolName: string;
  /** The plugin's files, then the configuration if it was written. */
  readonly files: readonly string[];
  /** Lines for people: what was done, and the next steps. */
  readonly notes: readonly string[];
}

/**
 * Creates a plugin in a place where the server finds it. In a folder without configuration it also writes
 * ./appsettings.json and trusts the folder (docs/spec/plugin-authoring.md#scaffold). If it fails, nothing is left.
 * @throws ScaffoldError if a file or name cannot be used @throws SettingsError if the configuration is wrong
 */
export async function newPlugin(
  request: { name: string; style?: string; isFull?: boolean },
  options: LoadOptions,
): Promise<NewPlugin> {
  const { directory, config } = await resolveTarget(options);
  const plugin = scaffold({ ...request, directory, projects: options.cwd });
  if (config) {
    try {
      trustAndWrite(config, options);
    } catch (error) {
      rmSync(plugin.folder, { recursive: true, force: true });
      throw error;
    }
  }
  return {
    folder: plugin.folder,
    toolName: plugin.name.tool,
    files: [...plugin.files, ...(config ? [config.file] : [])],
    notes: notesOf(plugin, config, options.cwd),
  };
}

function trustAndWrite(config: ConfigChange, { cwd, userConfigDir }: LoadOptions): void {
  const store = createTrustStore(userConfigDir);
  const wasTrusted = store.isTrusted(cwd);
  store.trust(cwd);
  try {
    writeConfig(config);
  } catch (error) {
    if (!wasTrusted) store.untrust(cwd);
    cannotWrite(config.file, error);
  }
}

function writeConfig({ file, text, isExtended }: ConfigChange): void {
  if (!isExtended) {
    writeFileSync(file, text, { flag: 'wx' });
    return;
  }
  const target = realpathSync(file);
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: statSync(target).mode });
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function notesOf(plugin: Scaffolded, config: ConfigChange | undefined, cwd: string): string[] {
  const { name, folder, files, isProject, copiedPackages } = plugin;
  const displayFolder = relative(cwd, folder);
  const argument = /\s/.test(displayFolder) ? JSON.stringify(displayFolder) : displayFolder;
  const relativePaths = files.map((file) => relative(folder, file)).filter((file) => !file.startsWith(`lib${sep}`));
  const configNote = config?.isExtended ? 'Added Plugins to ./appsettings.json' : 'Wrote ./appsettings.json';
  return [
    `Made the ${isProject ? 'C# project' : 'plugin'} ${displayFolder} with the tool ${name.tool}: ${relativePaths.join(', ')}.`,
    config && `${configNote} (Plugins.Directory "plugins"), and trusted this folder: mortise runs the plugins in it.`,
    copiedPackages.length > 0 &&
      `Not installed here: ${copiedPackages.join(', ')}. The node_modules of the plugin has a copy until you run npm install there.`,
    'Next:',
    `  ${isProject ? `dotnet build ${argument}` : `npm test --prefix ${argument}`}`,
    `  npx mortise call ${name.tool} --arg name=Ada`,
    `  npx mortise dev ${name.plugin} --call ${name.tool} --arg name=Ada   (shows the effect of each change)`,
  ].filter((note) => typeof note === 'string');
}
