import { isObject, type JsonObject } from '../json/json.js';
import { request } from './connection.js';
import { findTool, loadPlugins } from './lists.js';

/** Only operators see it (docs/spec/access.md#operators). */
const OPERATE_TOOL = 'builtin_operate';

export function canReloadAndAccept(): boolean {
  return findTool(OPERATE_TOOL) !== undefined;
}

/** Loads what changed, and this plugin. @returns what came of it, for a person. Never rejects. */
export function reloadPlugins(plugin?: string): Promise<string> {
  return operate({ action: 'Reload', ...(plugin !== undefined && { plugin }) });
}

/** Accepts the definition of a plugin that has this hash. @returns what came of it, for a person. Never rejects. */
export function acceptDefinition(plugin: string, sha256: string): Promise<string> {
  return operate({ action: 'Accept', plugin, sha256 });
}

async function operate(args: JsonObject): Promise<string> {
  try {
    const { content } = await request('tools/call', { name: OPERATE_TOOL, arguments: args });
    await loadPlugins();
    const [first] = Array.isArray(content) ? content : [];
    return isObject(first) ? String(first.text) : 'Done.';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
