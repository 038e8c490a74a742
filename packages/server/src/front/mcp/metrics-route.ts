import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../../core/principal.js';
import type { RequestMetrics } from '../../core/server-metrics.js';
import type { HttpAuthentication } from './authentication.js';
import { insufficientScope } from './bearer-challenge.js';
import type { Refusal } from './refusal.js';

const PATH = '/metrics';

/**
 * Answers `/metrics` for keys with `mortise:operate` and without a profile, because the metrics name every tool
 * (docs/spec/audit.md#metrics).
 * @returns a function that returns whether it has answered
 */
export function metricsRoute(
  metrics: RequestMetrics,
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
    const refusal = refusalOf(principal);
    if (refusal) {
      onRefused(req, refusal, principal);
      return plain(refusal.status, refusal.message, refusal.headers);
    }
    return res.writeHead(200, { 'content-type': metrics.contentType }).end(await metrics.text());
  };
  return (req, res) => {
    if (req.url?.split('?', 1)[0] !== PATH) return false;
    answer(req, res).catch((error) => res.destroy(error));
    return true;
  };
}

function refusalOf(principal: Principal): Refusal | undefined {
  const { scopes, profiles } = principal;
  if (!scopes.has('mortise:operate')) {
    const message = "The metrics need a key with the scope 'mortise:operate'. Telemetry.MetricsPort needs none.";
    return { outcome: 'SCOPE_MISSING', message, ...insufficientScope('mortise:operate', principal) };
  }
  if (profiles.length === 0) return undefined;
  return { outcome: 'PROFILE_RESTRICTED', status: 403, message: 'The metrics need a key without a profile.' };
}
