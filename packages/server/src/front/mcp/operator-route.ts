import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../../core/principal.js';
import type { HttpAuthentication } from './authentication.js';
import { insufficientScope } from './bearer-challenge.js';
import type { Refusal } from './refusal.js';

/** A page about the whole server, for operators. */
export interface OperatorPage {
  readonly path: string;
  readonly contentType: string;
  /** The subject and verb of a refusal: 'The metrics need'. */
  readonly needs: string;
  /** A sentence that tells a caller without such a key what to do instead. */
  readonly alternative: string;
  text(): string | Promise<string>;
}

/**
 * Creates the route of a page. It answers with the page if the request has a key or token with `mortise:operate` and
 * without a profile (docs/spec/access.md#status, docs/spec/audit.md#metrics).
 * @returns the route, which returns false and sends nothing for other paths
 */
export function operatorRoute(
  page: OperatorPage,
  { identify }: Pick<HttpAuthentication, 'identify'>,
  onRefused: (req: IncomingMessage, refusal: Refusal, principal: Principal) => void,
): (req: IncomingMessage, res: ServerResponse) => boolean {
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const plain = (status: number, text: string, headers = {}) =>
      res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(`${text}\n`);
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return plain(405, 'Only GET is allowed.', { allow: 'GET, HEAD' });
    const principal = await identify(req);
    if ('status' in principal) return plain(principal.status, principal.message, principal.headers);
    const refusal = refusalOf(page, principal);
    if (refusal) {
      onRefused(req, refusal, principal);
      return plain(refusal.status, refusal.message, refusal.headers);
    }
    return res.writeHead(200, { 'content-type': page.contentType }).end(await page.text());
  };
  return (req, res) => {
    if (req.url?.split('?', 1)[0] !== page.path) return false;
    answer(req, res).catch((error) => res.destroy(error));
    return true;
  };
}

function refusalOf({ needs, alternative }: OperatorPage, principal: Principal): Refusal | undefined {
  const { scopes, profiles } = principal;
  if (!scopes.has('mortise:operate')) {
    const message = `${needs} a key with the scope 'mortise:operate'. ${alternative}`;
    return { outcome: 'SCOPE_MISSING', message, ...insufficientScope('mortise:operate', principal) };
  }
  if (profiles.length === 0) return undefined;
  return { outcome: 'PROFILE_RESTRICTED', status: 403, message: `${needs} a key without a profile.` };
}
