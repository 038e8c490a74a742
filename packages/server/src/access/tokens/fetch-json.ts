/** The limits of a request to an issuer (docs/spec/tokens.md#jwks). */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;
const MAX_REDIRECTS = 3;

/**
 * Fetches JSON from an issuer, within limits of time and size. Redirects are followed only within the same origin.
 * @throws Error whose message is a reason in words, and contains no part of the response
 */
export async function fetchJson(url: string): Promise<unknown> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let target = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await fetch(target, { redirect: 'manual', signal, headers: { accept: 'application/json' } });
    const location = response.headers.get('location');
    if (response.status === 200) return parse(await readText(response));
    await response.body?.cancel();
    if (response.status < 300 || response.status > 399 || location === null) {
      throw new Error(`the response has status ${response.status}`);
    }
    target = new URL(location, target).href;
    if (new URL(target).origin !== new URL(url).origin) throw new Error('the response redirects to another host');
  }
  throw new Error('the response redirects too often');
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(`the response has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the response is not JSON');
  }
}
