/** The protocol versions that are measured. */
export const SESSIONS = '2025-11-25';
export const STATELESS = '2026-07-28';

const clientInfo = { name: 'mortise-bench', version: '1.0.0' };

/** `params` as a request of this version carries them. */
export function paramsFor(version, params, capabilities = {}) {
  if (version === SESSIONS) return params;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return { ...params, _meta };
}

/** Opens the session, in the version that has sessions. */
export async function open(client) {
  if (client.version !== SESSIONS) return;
  const { capabilities = {} } = client;
  await client.request('initialize', { protocolVersion: SESSIONS, capabilities, clientInfo });
  await client.notify('notifications/initialized');
}

const TEXT = 'The quick brown fox jumps over the lazy dog.';

/** The call that is measured. */
export const ECHO = { name: 'echo', arguments: { text: TEXT } };

/** @throws Error for anything but the echo */
export function checkEcho({ message }) {
  const text = message.result?.content?.[0]?.text;
  if (text !== TEXT || message.result.isError) throw new Error(`No echo: ${JSON.stringify(message).slice(0, 500)}`);
}

/** The echo, to be sent again and again. */
export const ECHOES = { method: 'tools/call', params: ECHO, check: checkEcho };
