import type { RegisterApi } from '@mortise/plugin';
import { defaultFolder } from '../actions/allowed-roots.js';
import type { Services } from '../services.js';

/** How often files are checked, in milliseconds: a hundred take a millisecond or two. */
const POLL_MS = 2000;
const WORKSPACE = 'dotnet://workspace';

/**
 * Notifies subscribers when the workspace, the SDKs or the templates have changed. A folder without a solution and projects is
 * checked only after a client has read it.
 * @param folders of workspaces that were read, by URI
 */
export function announceChanges(
  api: RegisterApi,
  { workspaces, sdk, settings }: Services,
  folders: ReadonlyMap<string, string>,
): void {
  const root = defaultFolder(settings.roots);
  let installation: string | undefined;

  async function check(): Promise<void> {
    const workspaceUris = workspaces.isCached(root) ? ([[WORKSPACE, root]] as const) : [];
    // Before any is read again: two URIs may name one folder.
    const changed = [...workspaceUris, ...folders]
      .filter(([, folder]) => !workspaces.isCurrent(folder))
      .map(([uri, folder]) => ({ uri, folder, wasRead: workspaces.wasRead(folder) }));
    for (const { uri, folder, wasRead } of changed) {
      workspaces.read(folder);
      if (wasRead) api.resourceUpdated(uri);
    }
    const state = await sdk.state();
    if (installation !== undefined && state !== installation) {
      for (const uri of ['dotnet://sdk-info', 'dotnet://runtime-info', 'dotnet://frameworks', 'dotnet://templates'])
        api.resourceUpdated(uri);
    }
    installation = state;
  }

  const timer = setInterval(() => {
    check().catch((error: unknown) => api.logger.debug('could not check for changes', { error: String(error) }));
  }, POLL_MS).unref();
  api.onDispose(() => clearInterval(timer));
}
