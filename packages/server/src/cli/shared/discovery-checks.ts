import { fetchMetadata, reasonOf } from '../../access/tokens/discover-issuer.js';
import { fetchJson } from '../../access/tokens/fetch-json.js';
import type { Check } from './doctor-checks.js';

const REQUEST_MS = 5_000;

/** Thrown if a step of the discovery failed, so that the next steps cannot begin. */
class FailedStep extends Error {
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

type Metadata = Readonly<Record<string, unknown>>;

/**
 * Follows the discovery of OAuth as a client does that knows the URL of a server: the challenge, the metadata of the
 * resource, the metadata of each authorization server, and its keys. Does not log in.
 */
export async function checkDiscovery(url: string): Promise<Check[]> {
  const checks: Check[] = [];
  const step = async <T>(title: string, run: () => Promise<T>): Promise<T | undefined> => {
    try {
      const value = await run();
      checks.push({ status: 'ok', message: title });
      return value;
    } catch (error) {
      const hint = error instanceof FailedStep ? error.hint : 'Check the address, and that the server is running.';
      checks.push({ status: 'error', message: `${title}: ${reasonOf(error)}`, hint });
      return undefined;
    }
  };
  const metadataUrl = await step(`Challenge of ${url}`, () => challengeOf(url));
  if (metadataUrl === undefined) return checks;
  const servers = await step(`Metadata of the resource ${metadataUrl}`, () => serversOf(metadataUrl, url));
  for (const issuer of servers ?? []) {
    const metadata = await step(`Metadata of the authorization server ${issuer}`, () => checkedMetadata(issuer));
    if (!metadata) continue;
    await step(`Keys ${metadata.jwks_uri}`, () => checkKeys(metadata));
    checks.push(registrationCheck(issuer, metadata));
  }
  return checks;
}

/** Sends a request without a credential. @returns the URL of the metadata of the resource */
async function challengeOf(url: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', redirect: 'manual', signal: AbortSignal.timeout(REQUEST_MS) });
  await response.body?.cancel();
  if (response.status !== 401) {
    const hint = 'A server that wants tokens answers 401 here: set Auth.Issuers, and check the path of the URL.';
    throw new FailedStep(`status ${response.status} instead of 401`, hint);
  }
  const metadataUrl = /\bresource_metadata="([^"]+)"/.exec(response.headers.get('www-authenticate') ?? '')?.[1];
  if (metadataUrl !== undefined && URL.canParse(metadataUrl)) return metadataUrl;
  throw new FailedStep(
    'the header WWW-Authenticate names no resource_metadata',
    'Set Auth.Issuers; without it the server takes keys only. A proxy must not remove the header.',
  );
}

async function serversOf(metadataUrl: string, url: string): Promise<string[]> {
  const { resource, authorization_servers: servers } = (await fetchJson(metadataUrl)) as Metadata;
  if (resource !== url) {
    const hint = `Set Http.PublicUrl to the URL that clients use, and use that URL: ${url}`;
    throw new FailedStep(`its resource is '${resource}', not '${url}'`, hint);
  }
  const urls = Array.isArray(servers) ? servers.filter((server) => URL.canParse(server)) : [];
  if (urls.length > 0) return urls;
  throw new FailedStep('it names no authorization server', 'Set Auth.Issuers.');
}

async function checkedMetadata(issuer: string): Promise<Metadata> {
  const metadata = await fetchMetadata(issuer);
  const missing = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'].filter(
    (name) => !URL.canParse(String(metadata[name])),
  );
  if (missing.length > 0) throw new FailedStep(`${missing.join(' and ')} missing`, 'Correct it at the issuer.');
  const methods = metadata.code_challenge_methods_supported;
  if (Array.isArray(methods) && methods.includes('S256')) return metadata;
  const hint = 'Switch on PKCE with S256 at the issuer; clients of MCP refuse to log in without it.';
  throw new FailedStep('code_challenge_methods_supported does not have S256', hint);
}

async function checkKeys({ jwks_uri: url }: Metadata): Promise<void> {
  const { keys } = (await fetchJson(String(url))) as Metadata;
  if (Array.isArray(keys) && keys.length > 0) return;
  throw new FailedStep('there are none', 'Correct it at the issuer, or set JwksUrl.');
}

/** Reports how a client can get its id. */
function registrationCheck(issuer: string, metadata: Metadata): Check {
  if (metadata.client_id_metadata_document_supported === true) {
    return { status: 'ok', message: `${issuer} accepts Client ID Metadata Documents` };
  }
  if (typeof metadata.registration_endpoint === 'string') {
    return { status: 'ok', message: `${issuer} registers clients dynamically` };
  }
  return {
    status: 'warning',
    message: `${issuer} registers no clients`,
    hint: 'Register each client there, and give it the client id.',
  };
}
