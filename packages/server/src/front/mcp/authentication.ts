import type { IncomingMessage } from 'node:http';
import type { Authentication } from '@mortise/mcp/http';
import { FailedLogins } from '../../access/failed-logins.js';
import type { KeyRing } from '../../access/key-ring.js';
import type { TokenAccess } from '../../access/tokens/token-access.js';
import { KEY_REFUSED, MCP_PATH } from '../../core/page-names.js';
import { LOOPBACK, type Principal } from '../../core/principal.js';
import type { Log } from '../../log/log.js';
import { PROFILE_NAME_PATTERN } from '../../settings/check-access.js';
import { challenge } from './bearer-challenge.js';
import type { Refusal } from './refusal.js';
import { authenticateToken, credentialProblem, isToken, withLogin } from './token-authentication.js';

const BEARER = /^Bearer +(\S+) *$/i;
/** The path of a profile. Names are compared as they are written, without decoding. */
const PROFILE_PATH = new RegExp(`^${MCP_PATH}/p/(${PROFILE_NAME_PATTERN})/?$`);

type Login = Principal | Refusal;

/** Finds the principal of an HTTP request by its key or token and its URL (docs/spec/access.md#keys). */
export interface HttpAuthentication {
  /** Returns the principal of a request to the MCP endpoint, restricted by the profile in its URL; or the refusal. */
  authenticate(req: IncomingMessage): Authentication | Promise<Authentication>;
  /** Returns the principal of a request to any other path, or the refusal. */
  identify(req: IncomingMessage): Login | Promise<Login>;
}

export interface AuthenticationOptions {
  readonly log: Log;
  /** Called for each refused request, also if {@link HttpAuthentication.identify} refuses it. */
  readonly onRefused?: (req: IncomingMessage, refusal: Refusal, principal?: Principal) => void;
  /** Returns the issuers of tokens; undefined if there are none. */
  readonly tokenAccess?: () => TokenAccess | undefined;
}

export function createAuthentication(
  keys: KeyRing,
  { log, onRefused = () => {}, tokenAccess = () => undefined }: AuthenticationOptions,
): HttpAuthentication {
  const failedLogins = new FailedLogins();
  const loginWithKey = (req: IncomingMessage): Login => {
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
  const report = (req: IncomingMessage, login: Login): Login => {
    if ('status' in login) onRefused(req, login);
    return login;
  };
  /** @param urlProfile restricts principals with a token; those with a key are restricted later */
  const identify = (req: IncomingMessage, urlProfile?: string): Login | Promise<Login> => {
    const tokens = tokenAccess();
    if (!tokens?.isActive) return report(req, loginWithKey(req));
    const problem = credentialProblem(req);
    if (problem) return report(req, problem);
    const credential = BEARER.exec(req.headers.authorization ?? '')?.[1];
    if (credential === undefined || !isToken(credential) || keys.find(credential)) {
      const login = loginWithKey(req);
      return report(req, 'status' in login ? withLogin(login, req, tokens) : login);
    }
    return authenticateToken(credential, req, { tokens, log, urlProfile }).then((login) => report(req, login));
  };
  return {
    identify: (req) => identify(req),
    authenticate(req) {
      const [path = ''] = (req.url ?? '').split('?', 1);
      const profile = PROFILE_PATH.exec(path)?.[1];
      const isEndpoint = path === MCP_PATH || path === `${MCP_PATH}/`;
      const admit = (login: Login): Authentication => {
        if ('status' in login) return login;
        const narrowed = isEndpoint ? login : profile === undefined ? undefined : narrow(login, profile);
        if (narrowed) return toAuthentication(narrowed);
        if (profile !== undefined) onRefused(req, PROFILE_UNKNOWN, login);
        return PROFILE_UNKNOWN;
      };
      const login = identify(req, profile);
      return login instanceof Promise ? login.then(admit) : admit(login);
    },
  };

  function narrow(principal: Principal, profile: string): Principal | undefined {
    if (principal.identity === undefined) return keys.narrow(principal, profile);
    return tokenAccess()?.hasProfile(profile) ? principal : undefined;
  }
}

const toAuthentication = (principal: Principal): Authentication => ({
  principal: principal.name === LOOPBACK.name ? '' : principal.name,
  authorization: principal,
  // Tokens expire, so a session must also accept the next token of the same user.
  ...(principal.identity && { sessionOwner: `token at ${principal.identity.urlProfile ?? MCP_PATH}` }),
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
  message: `${KEY_REFUSED} Send 'Authorization: Bearer <key>' with a key from Auth.Keys.`,
};
const KEY_MISSING: Refusal = { ...KEY_NEEDED, outcome: 'KEY_MISSING', headers: challenge() };
const KEY_INVALID: Refusal = { ...KEY_NEEDED, outcome: 'KEY_INVALID', headers: challenge({ error: 'invalid_token' }) };
