import { isError } from './describe.js';

/** The permissions of Node.js, as its errors name them: what the plugin may not do, and the setting that grants it. */
const PERMISSIONS: Readonly<Record<string, { readonly verb: string; readonly setting: string }>> = {
  FileSystemRead: { verb: 'read', setting: 'read' },
  FileSystemWrite: { verb: 'write', setting: 'write' },
  Net: { verb: 'use the network', setting: 'network' },
  ChildProcess: { verb: 'start', setting: 'run' },
  WorkerThreads: { verb: 'start a worker thread', setting: 'run' },
  Addon: { verb: 'load a native module', setting: 'run' },
  WASI: { verb: 'use WASI', setting: 'run' },
};

/** Describes an error of the permission model of Node.js; undefined for another error. */
export function deniedAccess(error: unknown): { message: string; hint: string } | undefined {
  if (!isError(error)) return undefined;
  const { code, permission, resource } = error as { code?: unknown; permission?: unknown; resource?: unknown };
  if (code !== 'ERR_ACCESS_DENIED') return undefined;
  const { verb = 'do this', setting = 'run' } = PERMISSIONS[String(permission)] ?? {};
  const what = typeof resource === 'string' && resource !== '' ? ` '${resource}'` : '';
  return {
    message: `The plugin is confined and may not ${verb}${what}`,
    hint: `If it has to, grant it: '${setting}' of the plugin in Plugins.Confine.Plugins.`,
  };
}
