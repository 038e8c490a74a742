import { signal } from '@preact/signals';
import { OPERATE_TOOL } from 'mortise/core/page-names';
import { isObject, type JsonObject } from '../json/json.js';
import { messageOf } from '../rpc/message-of.js';
import { request } from './connection.js';
import { findByAuthorName, loadPlugins } from './lists.js';

/** Only operators see it (docs/spec/access.md#operators). */
const operateTool = () => findByAuthorName(OPERATE_TOOL);

export function canReloadAndAccept(): boolean {
  return operateTool() !== undefined;
}

/** What came of the action that was started last, for a person; '' before the first one. */
export const operationReport = signal('');
let newest = 0;

/** Loads what changed, and this plugin. Never rejects. */
export function reloadPlugins(plugin?: string): Promise<void> {
  return operate({ action: 'Reload', ...(plugin !== undefined && { plugin }) });
}

/** Accepts the definition of a plugin that has this hash. Never rejects. */
export function acceptDefinition(plugin: string, sha256: string): Promise<void> {
  return operate({ action: 'Accept', plugin, sha256 });
}

async function operate(args: JsonObject): Promise<void> {
  const mine = ++newest;
  const report = await reportOf(args);
  // An earlier action may end later, and its report would hide this one.
  if (mine === newest) operationReport.value = report;
}

async function reportOf(args: JsonObject): Promise<string> {
  try {
    const { content } = await request('tools/call', { name: operateTool()?.name ?? OPERATE_TOOL, arguments: args });
    // If the list cannot be read now, the view soon reads it again. What came of the action stays the same.
    await loadPlugins().catch(() => {});
    const [first] = Array.isArray(content) ? content : [];
    return isObject(first) ? String(first.text) : 'Done.';
  } catch (error) {
    return messageOf(error);
  }
}
