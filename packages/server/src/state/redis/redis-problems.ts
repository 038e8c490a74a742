import { SettingsError } from '../../settings/settings-error.js';
import { MIB } from '../../util/bytes.js';
import { readTextFile } from '../../util/read-text-file.js';

const MIN_VERSION = 7;

/** Reasons that only a change of the settings removes, by the code or the first word of the error. */
const CONFIGURATION: Readonly<Record<string, readonly [key: string, reason: string, hint: string]>> = {
  WRONGPASS: ['Urls', 'it refuses the user or the password', 'Correct the user and the password in the URL.'],
  NOAUTH: ['Urls', 'it requires a password', 'Add the password to the URL: redis://:password@host:port.'],
  NOPERM: ['Urls', 'the user may not do what Mortise needs', 'Give the user the commands that docs/scaling.md lists.'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['Urls', 'its certificate is for another host', 'Write the host of its certificate.'],
  CERT_HAS_EXPIRED: ['CaFile', 'its certificate has expired', 'Renew the certificate of the store.'],
  ...Object.fromEntries(
    [
      'SELF_SIGNED_CERT_IN_CHAIN',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    ].map((code) => [
      code,
      [
        'CaFile',
        'its certificate is signed by an authority that is not known here',
        'Name the file with the certificate of that authority in State.Redis.CaFile.',
      ] as const,
    ]),
  ),
};

/** Other reasons, by the first word of the reply. */
const REPLIES: Readonly<Record<string, string>> = {
  OOM: 'it is out of memory',
  READONLY: 'it is read-only',
  LOADING: 'it still loads its data',
  MISCONF: 'it cannot save its data to its disk',
  MASTERDOWN: 'it has lost its primary',
  CLUSTERDOWN: 'its cluster is down',
};

/** Returns the reason why the store cannot be used, as the end of a sentence that contains no values of the settings. */
export function reasonOf(error: unknown): string {
  const id = identify(error);
  const known = REPLIES[id] ?? CONFIGURATION[id]?.[1];
  if (known !== undefined) return known;
  if (id.startsWith('E')) return `it cannot be reached (${id})`;
  const message = error instanceof Error ? error.message : String(error);
  return message === '' ? 'it cannot be reached' : message;
}

/** Returns the error for a failure that only a change of the settings can end; undefined for any other failure. */
export function configurationProblem(error: unknown): SettingsError | undefined {
  const known = CONFIGURATION[identify(error)];
  if (known === undefined) return undefined;
  const [key, reason, hint] = known;
  return storeError(key, reason, hint);
}

/**
 * Returns the error for a version that is too old.
 * @param info the answer to INFO, in which Valkey names the version of Redis that it is compatible with
 */
export function versionProblem(info: string): SettingsError | undefined {
  const version = /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown';
  if (Number.parseInt(version, 10) >= MIN_VERSION) return undefined;
  return storeError('Urls', `its version is ${version}`, `Use Redis ${MIN_VERSION} or later, or Valkey 8 or later.`);
}

/** Loads the library, which only servers with `State.Redis` need. @throws SettingsError if it is not installed */
export async function loadLibrary(): Promise<typeof import('@redis/client')> {
  try {
    return await import('@redis/client');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw storeError('Urls', 'the package @redis/client is not installed', 'Install it beside mortise.');
  }
}

/** @throws SettingsError if the file cannot be read */
export function readCertificates(file: string): string {
  const content = readTextFile(file, MAX_CERTIFICATES_BYTES);
  if (content.kind === 'text') return content.text;
  const why = content.kind === 'missing' ? 'there is no such file' : content.why;
  throw storeError('CaFile', `${file} cannot be read: ${why}`, 'Name a file with certificates.');
}

const MAX_CERTIFICATES_BYTES = 4 * MIB;

function storeError(member: string, reason: string, hint: string): SettingsError {
  const key = `State.Redis.${member}`;
  return new SettingsError([{ key, message: `${key}: the store of shared state cannot be used: ${reason}.`, hint }]);
}

/** Returns the code of an error, or the first word of an error reply. */
function identify(error: unknown): string {
  const { code, message = '' } = error as NodeJS.ErrnoException;
  return code ?? /^[A-Z]+(?= )/.exec(message)?.[0] ?? '';
}
