import type { Server } from 'node:http';
import { isIP } from 'node:net';
import type { McpServer } from '../core/mcp-server.js';
import { isLoopback } from './address-check.js';
import { createHttpEndpoint, type HttpEndpoint } from './http-endpoint.js';
import { type HttpEndpointOptions, type NamedOption, OPTION_NAMES } from './http-options.js';

/** The time that connections have to end by themselves after everything was closed. */
const HANG_UP_MS = 500;

export interface HttpOptions extends HttpEndpointOptions {
  /** The address to listen on. Default: 127.0.0.1. */
  readonly host?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Default: /mcp. */
  readonly path?: string;
}

export interface ServedHttp {
  /** The URL of the MCP endpoint, with the actual port. */
  readonly url: string;
  /** Refuses new connections too, and else as {@link HttpEndpoint.drain}. */
  drain(timeoutMs: number): Promise<void>;
  /** As {@link HttpEndpoint.close}; then the port is free again. */
  close(drainMs?: number): Promise<void>;
  /** As {@link HttpEndpoint.revoke}. */
  revoke(isRevoked: (authorization: unknown) => boolean): void;
  /** As {@link HttpEndpoint.expire}. */
  expire(isExpired: (authorization: unknown) => boolean): number;
}

/**
 * Serves MCP at `http://<host>:<port><path>`.
 * @throws Error if other machines could reach it and there is no `authenticate`, or if the port cannot be taken
 */
export async function serveHttp(server: McpServer, options: HttpOptions = {}): Promise<ServedHttp> {
  const { host = '127.0.0.1', port = 0, path = '/mcp' } = options;
  if (!isLoopback(host) && options.authenticate === undefined) {
    throw new Error(`Other machines can reach the address '${host}': give authenticate, or listen on 127.0.0.1.`);
  }
  const endpoint = createHttpEndpoint(server, {
    ...options,
    path,
    allowedHosts: [...(options.allowedHosts ?? []), host],
  });
  // `node:http` is imported only here, because a server over stdio bundles this module too and needs no HTTP.
  const { createServer } = await import('node:http');
  const http = createServer((req, res) => endpoint.handle(req, res));
  await listen(http, host, port, { ...OPTION_NAMES, ...options.optionNames });
  return {
    url: `${originOf(http, host)}${path}`,
    drain(timeoutMs) {
      http.close();
      // A client that keeps a connection open would not notice that another server answers now.
      http.prependListener('request', (_, res) => res.setHeader('Connection', 'close'));
      return endpoint.drain(timeoutMs);
    },
    close: (drainMs) => close(http, endpoint, drainMs),
    revoke: (isRevoked) => endpoint.revoke(isRevoked),
    expire: (isExpired) => endpoint.expire(isExpired),
  };
}

async function close(http: Server, endpoint: HttpEndpoint, drainMs: number | undefined): Promise<void> {
  const ended = new Promise<void>((resolve) => http.close(() => resolve()));
  await endpoint.close(drainMs);
  http.closeIdleConnections();
  const hangUp = setTimeout(() => http.closeAllConnections(), HANG_UP_MS);
  await ended;
  clearTimeout(hangUp);
}

type OptionNames = Readonly<Record<NamedOption, string>>;

const LISTEN_PROBLEMS: Readonly<Record<string, (names: OptionNames) => string>> = {
  EADDRINUSE: ({ port }) => `is in use by another program. Set ${port} to another port, or to 0 for any free one`,
  EACCES: ({ port }) => `requires elevated privileges. Set ${port} to a port above 1023`,
  EADDRNOTAVAIL: ({ host }) => `cannot be bound: ${host} is not an address of this machine`,
  ENOTFOUND: ({ host }) => `cannot be bound: the name in ${host} is unknown`,
};

function listen(http: Server, host: string, port: number, names: OptionNames): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => {
      const problem = LISTEN_PROBLEMS[error.code ?? '']?.(names);
      reject(problem ? new Error(`Port ${port} of ${host} ${problem}.`, { cause: error }) : error);
    });
    http.listen(port, host.replace(/^\[|\]$/g, ''), resolve);
  });
}

/** The origin for clients on this machine. A server on all addresses is called localhost. */
function originOf(http: Server, host: string): string {
  const address = http.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
}
