import type { IncomingMessage } from 'node:http';
import type { Authentication } from '@mortise/mcp';
import { FailedLogins } from '../access/failed-logins.js';
import type { KeyRing } from '../access/key-ring.js';
import type { Principal } from '../core/principal.js';
import type { Log } from '../logging/log.js';

const BEARER = /^Bearer +(\S+) *$/i;
/** The path of a profile; names are compared as they are written, without any decoding. */
const PROFILE_PATH = /^\/mcp\/p\/([A-Za-z0-9._-]{1,64})$/;

/** Says which principal a request over HTTP is from, by its key and its URL (docs/spec/access.md#keys). */
export function createAuthentication(
  keys: KeyRing,
  log: Log,
  onFailure: (address: string) => void = () => {},
): (req: IncomingMessage) => Authentication {
  const failedLogins = new FailedLogins();
  return (req) => {
    const { authorization } = req.headers;
    const key = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
    const page = key === undefined ? undefined : keys.findPage(key);
    if (page === 'refused') return PAGE_KEY_REFUSAL;
    if (page !== undefined) return atPath(req, keys, page);
    if (keys.isEmpty) return atPath(req, keys, keys.loopback());
    const address = req.socket.remoteAddress ?? '';
    const principal = key === undefined ? undefined : keys.find(key);
    // Clients learn from a refused request without a key that they need one: it does not count as a login.
    if (authorization === undefined) return keyRefusal(false);
    const waitSeconds = failedLogins.attempt(address, principal?.name);
    if (principal === undefined) log.warn('A login failed: the access key is not valid', { address });
    if (waitSeconds > 0) return tooManyFailures(waitSeconds);
    // Those that have to wait are not told of one by one: their number is up to the client.
    if (principal === undefined) onFailure(address);
    return principal ? atPath(req, keys, principal) : keyRefusal(true);
  };
}

function atPath({ url = '' }: IncomingMessage, keys: KeyRing, principal: Principal): Authentication {
  const [path = ''] = url.split('?', 1);
  if (path === '/mcp') return accepted(principal);
  const profile = PROFILE_PATH.exec(path)?.[1];
  const narrowed = profile === undefined ? undefined : keys.narrowed(principal, profile);
  return narrowed ? accepted(narrowed) : NOT_FOUND;
}

const accepted = (principal: Principal): Authentication => ({
  principal: principal.keyName ?? '',
  authorization: principal,
});

const PAGE_KEY_REFUSAL: Authentication = {
  status: 401,
  message: 'The token of this address has expired, or belongs to another tab. Run `mortise workbench` again.',
  headers: { 'www-authenticate': 'Bearer realm="mortise", error="invalid_token"' },
};

const NOT_FOUND: Authentication = {
  status: 404,
  message: 'Not found. The MCP endpoint is /mcp, and /mcp/p/<profile> with a profile of the settings.',
};

function tooManyFailures(seconds: number): Authentication {
  return {
    status: 429,
    message: `Too many failed logins from this address. Try again in ${seconds} s with a valid access key.`,
    headers: { 'retry-after': String(seconds) },
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
