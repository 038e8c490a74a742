/**
 * `session`: a connection begins with `initialize`, and the server may send requests to the client (2024-11-05 to
 * 2025-11-25). `stateless`: each request says everything about its client (2026-07-28).
 */
export type Generation = 'session' | 'stateless';

export type Transport = 'stdio' | 'http';

/** The newest version without sessions. */
export const STATELESS_VERSION = '2026-07-28';

interface ProtocolVersion {
  readonly version: string;
  readonly generation: Generation;
  readonly transports: readonly Transport[];
}

/**
 * The newest first. 2025-03-26 is missing because it requires batches; 2024-11-05 has another HTTP transport
 * (docs/spec/protocol.md#versions).
 */
const VERSIONS: readonly ProtocolVersion[] = [
  { version: STATELESS_VERSION, generation: 'stateless', transports: ['stdio', 'http'] },
  { version: '2025-11-25', generation: 'session', transports: ['stdio', 'http'] },
  { version: '2025-06-18', generation: 'session', transports: ['stdio', 'http'] },
  { version: '2024-11-05', generation: 'session', transports: ['stdio'] },
];

/** The versions of a generation that a transport serves, the newest first. */
export function supportedVersions(generation: Generation, transport: Transport): string[] {
  return VERSIONS.filter((entry) => entry.generation === generation && entry.transports.includes(transport)).map(
    ({ version }) => version,
  );
}

/** The versions without sessions, the newest first. */
export const STATELESS_VERSIONS: readonly string[] = /* @__PURE__ */ supportedVersions('stateless', 'http');

/** Whether the date of a version says that it has no sessions. The server need not support the version. */
export function namesStateless(version: string): boolean {
  return version >= STATELESS_VERSIONS.at(-1)!;
}

/** Chooses the version for a session: the requested one if it is supported, otherwise the newest. */
export function negotiate(requested: string, transport: Transport): string {
  const versions = supportedVersions('session', transport);
  return versions.includes(requested) ? requested : versions[0]!;
}
