import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** JSON values that a client carries and cannot read or change. */
export interface SealedJson {
  seal(value: object): string;
  /** @throws Error if the text was not sealed with the same secret */
  open(text: string): unknown;
}

/** @param secret of at least 32 bytes; the key is derived from it */
export function createSealedJson(secret: Buffer): SealedJson {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'mcp request state', 32));
  return {
    seal(value) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
      const body = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(text) {
      const bytes = Buffer.from(text, 'base64url');
      const bodyAt = IV_BYTES + TAG_BYTES;
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAuthTag(bytes.subarray(IV_BYTES, bodyAt));
      return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(bodyAt)), decipher.final()]).toString('utf8'));
    },
  };
}
