import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { ServerApi } from '../../core/server-api.js';
import { JSON_RPC_CODES } from '../../jsonrpc/codes.js';
import type { Log } from '../../logging/log.js';
import type { Settings } from '../../settings/settings.js';
import { createFront } from '../front.js';
import { createLiveConnections } from '../live-connections.js';
import { errorResponse } from '../message.js';
import { assertSafeBinding, createAddressCheck, createKeyCheck, isAmbiguous } from './access.js';
import { answerPreflight } from './cors.js';
import { createEndpoint } from './endpoint.js';
import { refuse, respondWithError } from './respond.js';

const PATH = '/mcp';
const DRAIN_MS = 1_000;
/** How long streams may take to end after that, in milliseconds. */
const HANG_UP_MS = 500;

export interface ServedHttp {
  /** The MCP endpoint, with the port that was really taken. */
  readonly url: string;
  /**
   * Takes no more requests, waits up to 1 s for the running ones to be answered, and ends all sessions and streams. Close
   * the host at the same time: that ends its calls with results that still go out.
   */
  close(): Promise<void>;
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
  const live = createLiveConnections(host);
  const endpoint = createEndpoint(createFront(host, log), live);
  const addressProblem = createAddressCheck(settings);
  const ownerOf = createKeyCheck(settings);

  const route = async (req: IncomingMessage, res: ServerResponse) => {
    if (isAmbiguous(req)) return refuse(res, 400, 'The request has more than one Host header.');
    const problem = addressProblem(req);
    if (problem !== undefined) return refuse(res, 403, host.redact(problem));
    if (pathOf(req) !== PATH) return refuse(res, 404, `Not found. The MCP endpoint is ${PATH}.`);
    if (answerPreflight(req, res, settings.Http.AllowedOrigins)) return;
    const owner = ownerOf(req);
    if (owner === undefined) return refuseKey(req, res);
    await endpoint.handle({ req, res, owner });
  };

  const server = createServer((req, res) => {
    route(req, res).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') return;
      log.error('An HTTP request failed', { error: error.stack });
      if (res.headersSent) res.destroy();
      else
        respondWithError(
          res,
          500,
          errorResponse(JSON_RPC_CODES.internalError, 'Internal error: the log of the server has the details.'),
        );
    });
  });
  try {
    await listen(server, settings.Http);
  } catch (error) {
    live.close();
    await endpoint.close();
    throw error;
  }

  return {
    url: urlOf(server, settings.Http.Host),
    async close() {
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      await endpoint.drain(DRAIN_MS);
      live.close();
      await endpoint.close();
      server.closeIdleConnections();
      const hangUp = setTimeout(() => server.closeAllConnections(), HANG_UP_MS);
      await ended;
      clearTimeout(hangUp);
    },
  };
}

function refuseKey(req: IncomingMessage, res: ServerResponse): void {
  const challenge = 'Bearer realm="mortise"';
  const isWrong = req.headers.authorization !== undefined;
  refuse(
    res,
    401,
    "The access key is missing or not valid. Send 'Authorization: Bearer <key>' with a key from Auth.Keys.",
    {
      headers: { 'www-authenticate': isWrong ? `${challenge}, error="invalid_token"` : challenge },
    },
  );
}

function pathOf(req: IncomingMessage): string {
  return (req.url ?? '/').split('?', 1)[0]!;
}

const LISTEN_PROBLEMS: Record<string, string> = {
  EADDRINUSE: 'is in use by another program. Set Http.Port to another port, or to 0 for any free one',
  EACCES: 'requires elevated privileges. Set Http.Port to a port above 1023',
  EADDRNOTAVAIL: 'cannot be bound: Http.Host is not an address of this machine',
  ENOTFOUND: 'cannot be bound: the name in Http.Host is unknown',
};

function listen(server: Server, { Host: host, Port: port }: Settings['Http']): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const problem = LISTEN_PROBLEMS[error.code ?? ''];
      reject(problem ? new Error(`Port ${port} of ${host} ${problem}.`, { cause: error }) : error);
    });
    server.listen(port, host.replace(/^\[|\]$/g, ''), resolve);
  });
}

/** A server on all addresses is shown under the name that always leads to it from here. */
function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}${PATH}`;
}
