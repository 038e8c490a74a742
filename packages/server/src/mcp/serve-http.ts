import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Authentication, isLoopback, type ServedHttp, serveHttp as serveMcp } from '@mortise/mcp';
import type { ServerApi } from '../core/server-api.js';
import type { Log } from '../logging/log.js';
import type { Settings } from '../settings/settings.js';
import { createMcpServer } from './create-mcp-server.js';
import { servePage } from './serve-page.js';
import { STOP_MS } from './stop-ms.js';

export type { ServedHttp };

/** @throws Error if other machines could reach a server that requires no key */
export function assertSafeBinding({ Http, Auth }: Settings): void {
  if (isLoopback(Http.Host) || Auth.Keys.length > 0) return;
  throw new Error(
    `Http.Host is '${Http.Host}', which other machines can reach, and Auth.Keys is empty. ` +
      'Add a key to Auth.Keys, or leave Http.Host at 127.0.0.1.',
  );
}

/**
 * Serves MCP at `http://<Http.Host>:<Http.Port>/mcp`: 2025-11-25 in sessions and 2026-07-28 without. Host and Origin are
 * checked on every route, then the key (`Auth.Keys`), before anything of the body is read.
 *
 * @throws Error when other machines could reach it without a key, or the port cannot be taken
 */
export async function serveHttp(host: ServerApi, { log }: { log: Log }): Promise<ServedHttp> {
  const { settings } = host;
  assertSafeBinding(settings);
  const { Http, Auth } = settings;
  const { mcp, detach } = createMcpServer(host, log);
  try {
    const served = await serveMcp(mcp, {
      host: Http.Host,
      port: Http.Port,
      optionNames: {
        host: 'Http.Host',
        port: 'Http.Port',
        allowedHosts: 'Http.AllowedHosts',
        allowedOrigins: 'Http.AllowedOrigins',
        maxBodyBytes: 'Http.MaxBodyBytes',
        maxSessions: 'Http.MaxSessions',
      },
      allowedHosts: Http.AllowedHosts,
      allowedOrigins: Http.AllowedOrigins,
      authenticate: createKeyCheck(settings),
      serveOtherPath: servePage,
      toolSchema: schemaFinder(host),
      maxBodyBytes: Http.MaxBodyBytes,
      maxSessions: Http.MaxSessions,
      maxSessionsPerPrincipal: Math.max(1, Math.floor(Http.MaxSessions / Math.max(1, Auth.Keys.length))),
      sessionIdleMs: Http.SessionIdleMs,
      pollAfterMs: Http.PollAfterMs,
    });
    return {
      url: served.url,
      async close() {
        await served.close(STOP_MS);
        detach();
      },
    };
  } catch (error) {
    detach();
    throw error;
  }
}

/**
 * Finds the schema of a tool's arguments, by any spelling of its name; a tool that is not there yet is waited for.
 * @returns a promise only while the plugins load
 */
function schemaFinder(host: ServerApi): (name: string) => unknown {
  const find = (name: string) => host.inputSchemaOf(name);
  return (name) => {
    const schema = find(name);
    return schema === undefined ? host.ready().then(() => find(name)) : schema;
  };
}

/** Compares in constant time: digests of the same length, and always all of them. */
function createKeyCheck({ Auth }: Settings): (req: IncomingMessage) => Authentication {
  if (Auth.Keys.length === 0) return () => ({ principal: '' });
  const keys = Auth.Keys.map(({ Name, Key }) => ({ name: Name, digest: digestOf(Key) }));
  return ({ headers: { authorization } }) => {
    const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    const digest = token === undefined ? undefined : digestOf(token);
    const key = digest && keys.filter((entry) => timingSafeEqual(entry.digest, digest))[0];
    return key ? { principal: key.name } : keyRefusal(authorization !== undefined);
  };
}

function keyRefusal(isWrong: boolean): Authentication {
  const challenge = 'Bearer realm="mortise"';
  return {
    status: 401,
    message: "The access key is missing or not valid. Send 'Authorization: Bearer <key>' with a key from Auth.Keys.",
    headers: { 'www-authenticate': isWrong ? `${challenge}, error="invalid_token"` : challenge },
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
