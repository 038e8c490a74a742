import type { RegisterApi } from '@mortise/plugin';
import type { Services } from '../services.js';

/** How often files are looked at, in milliseconds: a hundred take a millisecond or two. */
const LOOK_MS = 2000;

/**
 * Tells subscribers when the workspace, the SDKs or the templates have changed. A folder without solution and projects is
 * looked at only once somebody has read it.
 */
export function announceChanges(api: RegisterApi, { workspaces, sdk }: Services): void {
  const root = process.cwd();
  let hasLooked = false;
  let installation: string | undefined;

  async function look(): Promise<void> {
    if (workspaces.isKnown(root) && !workspaces.isCurrent(root)) {
      workspaces.read(root);
      if (hasLooked) api.resourceUpdated('dotnet://workspace');
    }
    hasLooked = true;
    const stands = await sdk.standing();
    if (installation !== undefined && stands !== installation) {
      for (const uri of ['dotnet://sdk-info', 'dotnet://runtime-info', 'dotnet://frameworks', 'dotnet://templates'])
        api.resourceUpdated(uri);
    }
    installation = stands;
  }

  const timer = setInterval(() => {
    look().catch((error: unknown) => api.logger.debug('changes could not be looked for', { error: String(error) }));
  }, LOOK_MS).unref();
  api.onDispose(() => clearInterval(timer));
}
