import type { IncomingMessage } from 'node:http';
import type { Authentication } from '@mortise/mcp';
import { FailedLogins } from '../../access/failed-logins.js';
import type { KeyRing } from '../../access/key-ring.js';
import { MCP_PATH } from '../../core/page-names.js';
import { LOOPBACK, type Principal } from '../../core/principal.js';
import type { Log } from '../../log/log.js';
import { PROFILE_NAME_PATTERN } from '../../settings/check-access.js';
import { challenge } from './bearer-challenge.js';

const BEARER = /^Bearer +(\S+) *$/i;
/** The path of a profile. Names are compared as they are written, without decoding. */
const PROFILE_PATH = new RegExp(`^${MCP_PATH}/p/(${PROFILE_NAME_PATTERN})/?$`);

/** The refusal of a request. `outcome` is its name in the audit. */
export interface Refusal {
  readonly outcome: string;
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Finds the principal of an HTTP request by its key and its URL (docs/spec/access.md#keys). */
export interface HttpAuthentication {
  /** The principal of a request to the MCP endpoint, restricted by the profile in its URL. */
  authenticate(req: IncomingMessage): Authentication;
  /** The principal of a request to any other path. */
  identify(req: IncomingMessage): Principal | Refusal;
}

/** @param onRefused called for each refused request, also if {@link HttpAuthentication.identify} refuses it */
export function createAuthentication(
  keys: KeyRing,
  log: Log,
  onRefused: (req: IncomingMessage, refusal: Refusal, principal?: Principal) => void = () => {},
): HttpAuthentication {
  const failedLogins = new FailedLogins();
  const find = (req: IncomingMessage): Principal | Refusal => {
    const { authorization } = req.headers;
    const key = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
    const page = key === undefined ? undefined : keys.findPage(key);
    if (page !== undefined) return page === 'refused' ? PAGE_KEY_REFUSAL : page;
    if (keys.isOpen) return keys.loopback();
    // A request without a key is not a failed login: clients send it to learn that they need a key.
    if (authorization === undefined) return KEY_MISSING;
    const address = req.socket.remoteAddress ?? '';
    const principal = key === undefined ? undefined : keys.find(key);
    const waitSeconds = failedLogins.attempt(address, principal?.name);
    if (principal === undefined) log.warn('A login failed: the access key is not valid', { address });
    if (waitSeconds > 0) return tooManyFailures(waitSeconds);
    return principal ?? KEY_INVALID;
  };
  const identify = (req: IncomingMessage) => {
    const found = find(req);
    if ('status' in found) onRefused(req, found);
    return found;
  };
  return {
    identify,
    authenticate(req) {
      const found = identify(req);
      if ('status' in found) return found;
      const [path = ''] = (req.url ?? '').split('?', 1);
      if (path === MCP_PATH || path === `${MCP_PATH}/`) return accepted(found);
      const profile = PROFILE_PATH.exec(path)?.[1];
      const narrowed = profile === undefined ? undefined : keys.narrow(found, profile);
      if (narrowed) return accepted(narrowed);
      if (profile !== undefined) onRefused(req, PROFILE_UNKNOWN, found);
      return PROFILE_UNKNOWN;
    },
  };
}

const accepted = (principal: Principal): Authentication => ({
  principal: principal.name === LOOPBACK.name ? '' : principal.name,
  authorization: principal,
});

const PAGE_KEY_REFUSAL: Refusal = {
  outcome: 'KEY_INVALID',
  status: 401,
  message: 'The token of this address has expired, or belongs to another tab. Run `mortise workbench` again.',
  headers: challenge({ error: 'invalid_token' }),
};

const PROFILE_UNKNOWN: Refusal = {
  outcome: 'PROFILE_UNKNOWN',
  status: 404,
  message: 'Not found. The MCP endpoint is /mcp, and /mcp/p/<profile> with a profile of the settings.',
};

function tooManyFailures(seconds: number): Refusal {
  return {
    outcome: 'LOGINS_LIMITED',
    status: 429,
    message: `Too many failed logins from this address. Try again in ${seconds} s with a valid access key.`,
    headers: { 'retry-after': String(seconds) },
  };
}

const KEY_NEEDED = {
  status: 401,
  message: "The access key is missing or not valid. Send 'Authorization: Bearer <key>' with a key from Auth.Keys.",
};
const KEY_MISSING: Refusal = { ...KEY_NEEDED, outcome: 'KEY_MISSING', headers: challenge() };
const KEY_INVALID: Refusal = { ...KEY_NEEDED, outcome: 'KEY_INVALID', headers: challenge({ error: 'invalid_token' }) };
