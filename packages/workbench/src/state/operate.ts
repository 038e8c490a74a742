import { signal } from '@preact/signals';
import { OPERATE_TOOL } from 'mortise/core/page-names';
import { isObject, type JsonObject } from '../json/json.js';
import { messageOf } from '../rpc/message-of.js';
import { request } from './connection.js';
import { findByAuthorName, loadPlugins } from './lists.js';

/** The tool that reloads and accepts plugins. Only operators see it (docs/spec/access.md#operators). */
const operateTool = () => findByAuthorName(OPERATE_TOOL);

export function canReloadAndAccept(): boolean {
  return operateTool() !== undefined;
}

/** A text for the user about the result of the latest operation; empty if there is none. */
export const operationReport = signal('');
let latestOperation = 0;

/** Reloads all changed plugins, and the named one in any case. Never rejects. */
export function reloadPlugins(plugin?: string): Promise<void> {
  return operate({ action: 'Reload', ...(plugin !== undefined && { plugin }) });
}

/** Accepts the definition of a plugin if it still has this hash. Never rejects. */
export function acceptDefinition(plugin: string, sha256: string): Promise<void> {
  return operate({ action: 'Accept', plugin, sha256 });
}

async function operate(args: JsonObject): Promise<void> {
  const operation = ++latestOperation;
  const report = await reportOf(args);
  // An earlier operation can end later. Its report must not replace the one of the latest operation.
  if (operation === latestOperation) operationReport.value = report;
}

async function reportOf(args: JsonObject): Promise<string> {
  try {
    const { content } = await request('tools/call', { name: operateTool()?.name ?? OPERATE_TOOL, arguments: args });
    // An error here does not mean that the operation failed, and the view soon reads the plugins again.
    await loadPlugins().catch(() => {});
    const [first] = Array.isArray(content) ? content : [];
    return isObject(first) ? String(first.text) : 'Done.';
  } catch (error) {
    return messageOf(error);
  }
}
