import type { McpServer } from '@mortise/mcp';
import { profileNames } from '../../access/access.js';
import { LISTS } from '../../core/changed-lists.js';
import { LOCAL, type Principal } from '../../core/principal.js';
import type { Audience, ServerApi } from '../../core/server-api.js';
import { logMessage } from './log-message.js';

const audience = (isFor: Audience) => (authorization: unknown) => isFor(authorization as Principal | undefined);

/**
 * Passes the changes and log lines of the server to its clients, and changes to and from other replicas.
 * @returns a function that ends this
 */
export function passAnnouncements(host: ServerApi, mcp: McpServer): () => void {
  const stops = [
    host.on('listChanged', (list, isFor) => mcp.announce({ kind: 'list', list }, audience(isFor))),
    host.on('resourceUpdated', (uri, isFor) => mcp.announce({ kind: 'resource', uri }, audience(isFor))),
    host.on('log', (line, isFor) => mcp.log(logMessage(line), audience(isFor))),
    ...(host.shared ? passShared(host, mcp, host.shared.changes) : []),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

type SharedChanges = NonNullable<ServerApi['shared']>['changes'];

/** docs/spec/shared.md#changes */
function passShared(host: ServerApi, mcp: McpServer, changes: SharedChanges): (() => void)[] {
  let profiles = profileNames(host.settings);
  const announceResource = (uri: string) =>
    mcp.announce({ kind: 'resource', uri }, audience(host.resourceAudience(uri)));
  return [
    host.on('settingsReloaded', (settings) => {
      profiles = profileNames(settings);
    }),
    host.on('listChanged', (list, isFor) => {
      const unchangedFor = profiles.filter((profile) => !isFor(withProfile(profile)));
      const isWholeChanged = isFor(undefined);
      if (!isWholeChanged && unchangedFor.length === profiles.length) return;
      changes.publish({ kind: 'list', list, isWholeChanged, unchangedFor });
    }),
    host.on('resourceUpdated', (uri) => changes.publish({ kind: 'resource', uri })),
    changes.listen({
      changed(change) {
        if (change.kind === 'resource') return announceResource(change.uri);
        const { list, isWholeChanged, unchangedFor } = change;
        const isFor: Audience = ({ profiles: own } = LOCAL) =>
          own.length === 0 ? isWholeChanged : !own.some((profile) => unchangedFor.includes(profile));
        mcp.announce({ kind: 'list', list }, audience(isFor));
      },
      missed() {
        for (const list of LISTS) mcp.announce({ kind: 'list', list });
        for (const uri of mcp.subscribedUris) announceResource(uri);
      },
    }),
  ];
}

/** Stands for all principals with this profile. */
const withProfile = (profile: string): Principal => ({
  name: '',
  keyName: '',
  scopes: new Set(),
  profiles: [profile],
});
