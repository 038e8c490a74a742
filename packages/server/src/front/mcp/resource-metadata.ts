import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TokenAccess } from '../../access/tokens/token-access.js';
import { MCP_PATH } from '../../core/page-names.js';
import { PROFILE_NAME_PATTERN } from '../../settings/check-access.js';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
/** Matches what may follow the path of the MCP endpoint: a profile, or nothing. */
const PATH_REST = new RegExp(`^(?:/p/(${PROFILE_NAME_PATTERN}))?/?$`);

/** The resource of a request in the sense of OAuth: the MCP endpoint at one of its URLs. */
export interface RequestedResource {
  /** The URL, as the client uses it. */
  readonly url: string;
  /** The URL of its metadata (RFC 9728). */
  readonly metadataUrl: string;
}

/**
 * Returns the resource for which the request needs a token. For a request to another path this is the MCP endpoint
 * without a profile.
 */
export function requestedResource(req: IncomingMessage, publicUrl: string): RequestedResource {
  const path = pathOf(req);
  const rest = path.startsWith(MCP_PATH) ? path.slice(MCP_PATH.length) : '';
  const url = `${endpointUrl(req, publicUrl)}${PATH_REST.test(rest) ? rest : ''}`;
  const { origin, pathname } = new URL(url);
  return { url, metadataUrl: `${origin}${WELL_KNOWN}${pathname}` };
}

/**
 * Answers requests for the metadata of the resource, which need no credential (docs/spec/tokens.md#metadata).
 * @returns false if the path is not that of metadata; then nothing is sent
 */
export function serveResourceMetadata(req: IncomingMessage, res: ServerResponse, tokens: TokenAccess): boolean {
  const path = pathOf(req);
  if (!tokens.isActive || !path.startsWith(WELL_KNOWN)) return false;
  const base = endpointUrl(req, tokens.publicUrl);
  const rest = restOf(path.slice(WELL_KNOWN.length), new URL(base).pathname);
  if (rest === undefined) return false;
  const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'MCP-Protocol-Version' };
  if (req.method === 'OPTIONS') res.writeHead(204, headers).end();
  else if (req.method !== 'GET' && req.method !== 'HEAD') res.writeHead(405, { allow: 'GET, HEAD, OPTIONS' }).end();
  else {
    const { firstScope } = tokens;
    const metadata = {
      resource: `${base}${rest}`,
      authorization_servers: tokens.issuerUrls,
      ...(firstScope !== undefined && { scopes_supported: [firstScope] }),
      bearer_methods_supported: ['header'],
      resource_name: 'Mortise',
    };
    res.writeHead(200, { ...headers, 'content-type': 'application/json', 'cache-control': 'no-store' });
    res.end(req.method === 'HEAD' ? undefined : JSON.stringify(metadata));
  }
  return true;
}

/** Returns what follows the endpoint's path in `path`; undefined if no resource has this path. */
function restOf(path: string, publicPath: string): string | undefined {
  if (path === '') return '';
  const prefix = [publicPath, MCP_PATH].find((endpointPath) => path.startsWith(endpointPath));
  const rest = prefix === undefined ? undefined : path.slice(prefix.length);
  return rest !== undefined && PATH_REST.test(rest) ? rest : undefined;
}

/** Returns the URL of the endpoint. The Host header can be trusted, because the transport has checked it. */
function endpointUrl({ headers }: IncomingMessage, publicUrl: string): string {
  return publicUrl || `http://${new URL(`http://${headers.host}`).host}${MCP_PATH}`;
}

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0]!;
