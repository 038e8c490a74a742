import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether only this machine can reach a server that listens on this address. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  return family === 0 ? address.toLowerCase() === 'localhost' : LOOPBACK.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** Whether a request has several Host headers (RFC 9112 §3.2), of which a proxy and Node may use different ones. */
export function isAmbiguous({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Whether the header Host names this machine, with any port. Other names that resolve to this machine do not count. */
export function isLocalHost(header: string | undefined): boolean {
  const name = header && nameOf(`http://${header}`);
  return name !== undefined && LOCAL_NAMES.includes(name);
}

interface AddressSettings {
  /** Names that are accepted in addition to those of this machine. */
  readonly allowedHosts: readonly string[];
  /** Origins or names of hosts that are accepted in addition to those of this machine. */
  readonly allowedOrigins: readonly string[];
  /** The operator's names of both options, for messages. */
  readonly optionNames: { readonly allowedHosts: string; readonly allowedOrigins: string };
}

/** The reason for which a request is refused. */
export interface AddressProblem {
  readonly reason: 'HOST_NOT_ALLOWED' | 'ORIGIN_NOT_ALLOWED';
  readonly message: string;
}

/** Returns the reason to refuse a request, or undefined. Protects servers on loopback from web pages. */
export type AddressCheck = (req: IncomingMessage) => AddressProblem | undefined;

/** Makes the check of Host and Origin against DNS rebinding. A request without Origin is not from a web page. */
export function createAddressCheck({ allowedHosts, allowedOrigins, optionNames }: AddressSettings): AddressCheck {
  const hosts = new Set([...LOCAL_NAMES, ...allowedHosts.map(hostName)]);
  const originNames = new Set([...LOCAL_NAMES, ...allowedOrigins.map((origin) => origin.toLowerCase())]);
  const hostAdvice = `Names other than those of this machine must be in ${optionNames.allowedHosts}.`;
  const originAdvice = `Web pages of other origins must be in ${optionNames.allowedOrigins}.`;
  const acceptedHosts = new Set<string>();
  return ({ headers: { host, origin } }) => {
    if (host === undefined || !acceptedHosts.has(host)) {
      const problem = hostProblem(host, hosts);
      if (problem !== undefined) return { reason: 'HOST_NOT_ALLOWED', message: `${problem}. ${hostAdvice}` };
      if (acceptedHosts.size < MAX_ACCEPTED_HOSTS) acceptedHosts.add(host!);
    }
    if (origin === undefined || isListed(origin, allowedOrigins) || isSameOrigin(origin, host!)) return undefined;
    const name = nameOf(origin);
    if (name !== undefined && originNames.has(name)) return undefined;
    const problem = name === undefined ? `Invalid Origin header: ${origin}` : `Invalid Origin: ${name}`;
    return { reason: 'ORIGIN_NOT_ALLOWED', message: `${problem}. ${originAdvice}` };
  };
}

/** Whether the list has the origin, ignoring case. */
const isListed = (origin: string, origins: readonly string[]): boolean =>
  origins.some((one) => one.toLowerCase() === origin.toLowerCase());

/** True if the page is from this server. The scheme is not compared, because a proxy may end TLS before the server. */
function isSameOrigin(origin: string, host: string): boolean {
  return origin.slice(origin.indexOf('://') + 3).toLowerCase() === host.toLowerCase();
}

/** The maximum number of accepted Host headers that are remembered. */
const MAX_ACCEPTED_HOSTS = 100;

function hostProblem(host: string | undefined, hosts: ReadonlySet<string>): string | undefined {
  if (!host) return 'Missing Host header';
  const name = nameOf(`http://${host}`);
  if (name === undefined) return `Invalid Host header: ${host}`;
  return hosts.has(name) ? undefined : `Invalid Host: ${name}`;
}

function nameOf(url: string): string | undefined {
  try {
    return new URL(url).hostname || undefined;
  } catch {
    return undefined;
  }
}

function hostName(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host.toLowerCase();
}

const METHODS = 'GET, POST, DELETE';
const EXPOSED = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After';

/**
 * Answers preflights, and lets web pages of the allowed origins read the responses. Pages of localhost may read them
 * only if their origin is in `allowedOrigins` too.
 * @returns whether the request was answered
 */
export function answerPreflight(req: IncomingMessage, res: ServerResponse, allowedOrigins: readonly string[]): boolean {
  const { origin } = req.headers;
  if (origin === undefined || !isListed(origin, allowedOrigins)) return false;
  res.setHeader('access-control-allow-origin', origin);
  res.setHeader('access-control-expose-headers', EXPOSED);
  res.setHeader('vary', 'Origin');
  if (req.method !== 'OPTIONS') return false;
  res.writeHead(204, {
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': req.headers['access-control-request-headers'] ?? '*',
    'access-control-max-age': '600',
  });
  res.end();
  return true;
}
