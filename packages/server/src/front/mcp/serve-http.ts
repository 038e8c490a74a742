import type { IncomingMessage } from 'node:http';
import { isLoopback, type ServedHttp as ServedMcp, type StatusWord, serveHttp as serveMcp } from '@mortise/mcp/http';
import { KeyRing, type KeyRingOptions } from '../../access/key-ring.js';
import type { PageKey } from '../../access/page-key.js';
import type { HttpRefusal } from '../../core/http-refusal.js';
import type { Principal } from '../../core/principal.js';
import type { ServerApi } from '../../core/server-api.js';
import type { Log } from '../../log/log.js';
import { hasLimits, limitsOf } from '../../settings/effective-limits.js';
import { replicaName } from '../../settings/replica-name.js';
import type { Settings } from '../../settings/settings.js';
import { withTimeout } from '../../util/with-timeout.js';
import { servePage } from '../page/serve-page.js';
import { createAuthentication } from './authentication.js';
import { createMcpServer } from './create-mcp-server.js';
import { LazyTokenAccess } from './lazy-token-access.js';
import { operatorPages } from './operator-pages.js';
import { operatorRoute } from './operator-route.js';
import type { Refusal } from './refusal.js';
import { serveResourceMetadata } from './resource-metadata.js';
import { STOP_MS } from './stop-ms.js';

export interface ServedHttp extends Omit<ServedMcp, 'revoke' | 'expire' | 'close' | 'drain'> {
  /** Refuses what is new, and lets the calls and tasks that run end, for at most `Tools.TimeoutMs`. */
  drain(): Promise<void>;
  /** Answers the running requests, and frees the port. */
  close(): Promise<void>;
}

export interface ServeHttpOptions {
  readonly log: Log;
  /** Profiles that restrict every principal. */
  readonly profiles?: readonly string[];
  /** The key of `mortise workbench`. */
  readonly pageKey?: PageKey;
}

/** @throws Error if other machines could reach a server that requires neither a key nor a token */
export function assertSafeBinding({ Http, Auth }: Settings): void {
  if (isLoopback(Http.Host) || Auth.Keys.length > 0 || Auth.Issuers.length > 0) return;
  throw new Error(
    `Http.Host is '${Http.Host}', which other machines can reach, and Auth.Keys is empty. ` +
      'Add a key to Auth.Keys or an issuer to Auth.Issuers, or leave Http.Host at 127.0.0.1.',
  );
}

/**
 * Serves MCP at `http://<Http.Host>:<Http.Port>/mcp`, and with a profile at `/mcp/p/<name>`. Every route checks Host and
 * Origin, then the key (`Auth.Keys`), before it reads the body.
 *
 * @throws Error if other machines could reach the server without a key, or if the port cannot be taken
 */
export async function serveHttp(
  server: ServerApi,
  { log, profiles = [], pageKey }: ServeHttpOptions,
): Promise<ServedHttp> {
  const { settings } = server;
  assertSafeBinding(settings);
  const { Http } = settings;
  const { mcp, detach } = createMcpServer(server, log);
  let revoke = () => {};
  let expire = () => 0;
  const removedKeys = server.shared?.removedKeys;
  const keys = new KeyRing(settings, { baseProfiles: profiles, onRevoked: () => revoke(), pageKey, removedKeys });
  const stopRemovals = removedKeys && logRemovals(keys, removedKeys, log);
  const tokens = new LazyTokenAccess({ log, profiles, onExpired: () => expire() });
  await tokens.update(settings);
  const refused = (req: IncomingMessage, refusal: Pick<Refusal, 'outcome' | 'status'>, principal?: Principal) =>
    server.refused(toHttpRefusal(req, refusal, principal));
  const authentication = createAuthentication(keys, { log, onRefused: refused, tokenAccess: () => tokens.access });
  const stopReloads = server.on('settingsReloaded', (reloaded) => {
    // Update the issuers first: the update of the keys then ends the sessions of all principals that are no longer valid.
    tokens.update(reloaded).catch((error) => log.error('The issuers could not be loaded', { error: String(error) }));
    const { added, removed } = keys.update(reloaded);
    if (added.length + removed.length > 0) log.info('the access keys have changed', { added, removed });
  });
  const readiness = readinessOf(server, mcp);
  const pages = operatorPages(server, mcp, () => readiness()[1]);
  const routes = pages.map((page) => operatorRoute(page, authentication, refused));
  const stop = () => {
    stopReloads();
    stopRemovals?.();
    keys.close();
    tokens.close();
    detach();
  };
  try {
    const served = await serveMcp(mcp, {
      host: Http.Host,
      port: Http.Port,
      optionNames: OPTION_NAMES,
      allowedHosts: Http.PublicUrl ? [...Http.AllowedHosts, new URL(Http.PublicUrl).hostname] : Http.AllowedHosts,
      allowedOrigins: Http.AllowedOrigins,
      hasSubpaths: true,
      publicRoutes: { '/healthz': () => [200, 'ok'], '/readyz': readiness },
      authenticate: authentication.authenticate,
      onRefused: (outcome, status, req, authorization) =>
        refused(req, { outcome, status }, authorization as Principal | undefined),
      serveOtherPath: (req, res) =>
        servePage(req, res, !keys.isOpen || pageKey !== undefined) ||
        routes.some((answers) => answers(req, res)) ||
        (tokens.access !== undefined && serveResourceMetadata(req, res, tokens.access)),
      toolSchema: schemaFinder(server),
      maxBodyBytes: Http.MaxBodyBytes,
      maxMessageValues: settings.Plugins.Limits.MessageValues,
      maxSessions: Http.MaxSessions,
      maxSessionsPerPrincipal: sessionLimit(settings, tokens),
      ...(hasLimits(settings, 'Streams') && { maxStreamsPerPrincipal: streamLimit(settings) }),
      replica: replicaName(settings.State),
      sessionIdleMs: Http.SessionIdleMs,
      pollAfterMs: Http.PollAfterMs,
    });
    const isValid = (principal: Principal) => (principal.identity ? tokens.access : keys)?.isValid(principal) ?? false;
    revoke = () => served.revoke((authorization) => !isValid(authorization as Principal));
    expire = () => served.expire((authorization) => tokens.access!.isExpired(authorization as Principal));
    return {
      url: served.url,
      async drain() {
        const deadline = performance.now() + settings.Tools.TimeoutMs;
        await served.drain(settings.Tools.TimeoutMs);
        // A call that has become a task runs on after its request was answered.
        await withTimeout(server.idle(), Math.max(0, deadline - performance.now()));
      },
      async close() {
        // The server cancels the running calls at the same time. Stop the tasks first, so that they record why.
        mcp.tasks?.stop();
        await served.close(STOP_MS);
        stop();
      },
    };
  } catch (error) {
    stop();
    throw error;
  }
}

/** Returns a function that answers `/readyz` (docs/spec/access.md#health). */
function readinessOf(server: ServerApi, mcp: { readonly isDraining: boolean }): () => StatusWord {
  let isReady = false;
  void server.ready().then(() => {
    isReady = true;
  });
  return () => {
    if (mcp.isDraining) return [503, 'stopping'];
    if (!isReady) return [503, 'starting'];
    return [200, server.shared?.store.problem === undefined ? 'ready' : 'degraded'];
  };
}

/** Logs which keys of these settings a reload of another replica has removed. @returns a function that stops this */
function logRemovals(keys: KeyRing, removedKeys: NonNullable<KeyRingOptions['removedKeys']>, log: Log): () => void {
  let logged: readonly string[] = [];
  const check = () => {
    const names = keys.removedElsewhere;
    const hint = 'Reload the newer settings here too, or make new keys: `mortise key new <name>`.';
    const message = 'Access keys of these settings are refused, because a reload of another replica has removed them';
    if (names.some((name) => !logged.includes(name))) log.warn(message, { keys: names, hint });
    logged = names;
  };
  check();
  return removedKeys.onChange(check);
}

/** The settings that messages of `@mortise/mcp` name. */
const OPTION_NAMES = {
  host: 'Http.Host',
  port: 'Http.Port',
  allowedHosts: 'Http.AllowedHosts',
  allowedOrigins: 'Http.AllowedOrigins',
  maxBodyBytes: 'Http.MaxBodyBytes',
  maxMessageValues: 'Plugins.Limits.MessageValues',
  maxSessions: 'Http.MaxSessions',
};

/**
 * Returns a function for the number of sessions that a principal may have: `Limits.Sessions`, but at most an equal share
 * of `Http.MaxSessions`. Each key and each user with a token has a share.
 */
function sessionLimit(settings: Settings, tokens: LazyTokenAccess): (authorization: unknown) => number {
  const { Http, Auth } = settings;
  const share = () => {
    const principalCount = Auth.Keys.length + (tokens.access?.loginCount ?? 0);
    return Math.max(1, Math.floor(Http.MaxSessions / Math.max(1, principalCount)));
  };
  if (!hasLimits(settings, 'Sessions')) return share;
  return (authorization) => Math.min(share(), limitsOf(settings, authorization as Principal).Sessions ?? share());
}

const streamLimit = (settings: Settings) => (authorization: unknown) =>
  limitsOf(settings, authorization as Principal).Streams ?? Number.POSITIVE_INFINITY;

const MAX_PATH_CHARS = 200;

function toHttpRefusal(
  { method = '', url = '', socket }: IncomingMessage,
  { outcome, status }: Pick<Refusal, 'outcome' | 'status'>,
  principal: Principal | undefined,
): HttpRefusal {
  return {
    event: outcome === 'KEY_INVALID' || outcome === 'TOKEN_INVALID' ? 'login-failed' : 'refused',
    ...{ outcome, status, principal: principal?.name, method },
    address: socket.remoteAddress ?? '',
    target: url.split('?', 1)[0]!.slice(0, MAX_PATH_CHARS),
  };
}

/**
 * Finds the schema of a tool's arguments, by any spelling of its name. If there is no such tool yet, it waits until the
 * plugins have loaded.
 */
function schemaFinder(server: ServerApi): (name: string, authorization: unknown) => unknown {
  return (name, authorization) => {
    const find = () => server.inputSchemaOf(name, authorization as Principal | undefined);
    const schema = find();
    return schema === undefined ? server.ready().then(find) : schema;
  };
}
