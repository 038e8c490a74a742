import type { McpServer } from '@mortise/mcp';
import { profileNames } from '../../access/access.js';
import { LISTS } from '../../core/changed-lists.js';
import { LOCAL, type Principal } from '../../core/principal.js';
import type { Audience, ServerApi } from '../../core/server-api.js';
import { logMessage } from './log-message.js';

const audience = (isFor: Audience) => (authorization: unknown) => isFor(authorization as Principal | undefined);

/**
 * Passes the changes and log lines of the server to its clients, and changes to and from other replicas.
 * @returns a function that stops this
 */
export function passAnnouncements(server: ServerApi, mcp: McpServer): () => void {
  const stops = [
    server.on('listChanged', (list, isFor) => mcp.announce({ kind: 'list', list }, audience(isFor))),
    server.on('resourceUpdated', (uri, isFor) => mcp.announce({ kind: 'resource', uri }, audience(isFor))),
    server.on('log', (line, isFor) => mcp.log(logMessage(line), audience(isFor))),
    ...(server.shared ? passShared(server, mcp, server.shared.changes) : []),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

type SharedChanges = NonNullable<ServerApi['shared']>['changes'];

/** Publishes the changes of this replica, and announces those of the others (docs/spec/shared.md#changes). */
function passShared(server: ServerApi, mcp: McpServer, changes: SharedChanges): (() => void)[] {
  let profiles = profileNames(server.settings);
  const announceResource = (uri: string) =>
    mcp.announce({ kind: 'resource', uri }, audience(server.resourceAudience(uri)));
  return [
    server.on('settingsReloaded', (settings) => {
      profiles = profileNames(settings);
    }),
    server.on('listChanged', (list, isFor) => {
      const unchangedFor = profiles.filter((profile) => !isFor(withProfile(profile)));
      const isWholeChanged = isFor(undefined);
      if (!isWholeChanged && unchangedFor.length === profiles.length) return;
      changes.publish({ kind: 'list', list, isWholeChanged, unchangedFor });
    }),
    server.on('resourceUpdated', (uri) => changes.publish({ kind: 'resource', uri })),
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
