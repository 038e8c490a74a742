import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** JSON values that a client carries and cannot read or change. */
export interface SealedJson {
  seal(value: object): string;
  /** @throws Error if the text was sealed with none of the secrets */
  open(text: string): unknown;
}

/**
 * @param secrets secrets of at least 32 bytes each, from which the keys are derived. The first one seals, and all of them
 * open, so that a secret can be replaced while clients still have values that it sealed
 */
export function createSealedJson(secrets: readonly [Buffer, ...Buffer[]]): SealedJson {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'mcp request state', 32)));
  return {
    seal: (value) => seal(keys[0]!, value),
    open(text) {
      const bytes = Buffer.from(text, 'base64url');
      for (const key of keys.slice(0, -1)) {
        try {
          return open(key, bytes);
        } catch {
          // Sealed with another key of the list.
        }
      }
      return open(keys.at(-1)!, bytes);
    },
  };
}

function seal(key: Buffer, value: object): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  const body = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
}

function open(key: Buffer, bytes: Buffer): unknown {
  const bodyAt = IV_BYTES + TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(IV_BYTES, bodyAt));
  return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(bodyAt)), decipher.final()]).toString('utf8'));
}
