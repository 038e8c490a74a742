import type { IncomingMessage, ServerResponse } from 'node:http';

const ALLOWED_METHODS = 'GET, POST, DELETE';
const EXPOSED = 'Mcp-Session-Id, WWW-Authenticate';

/**
 * Lets web pages of the origins that `Http.AllowedOrigins` names read the answers; those of localhost have to be named
 * too. Answers preflights itself.
 *
 * @returns whether the request is done
 */
export function answerPreflight(req: IncomingMessage, res: ServerResponse, allowedOrigins: readonly string[]): boolean {
  const { origin } = req.headers;
  if (origin === undefined || !allowedOrigins.some((allowed) => allowed.toLowerCase() === origin.toLowerCase())) {
    return false;
  }
  res.setHeader('access-control-allow-origin', origin);
  res.setHeader('access-control-expose-headers', EXPOSED);
  res.setHeader('vary', 'Origin');
  if (req.method !== 'OPTIONS') return false;
  res.writeHead(204, {
    'access-control-allow-methods': ALLOWED_METHODS,
    'access-control-allow-headers': req.headers['access-control-request-headers'] ?? '*',
    'access-control-max-age': '600',
  });
  res.end();
  return true;
}
