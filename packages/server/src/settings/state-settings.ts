import { bool, described, list, pathOrEmpty, prefix, record, redisUrl, setting } from './setting-schema.js';

/** `State.Redis` (docs/spec/shared.md#store). */
export const REDIS = record(
  {
    Urls: described(
      list(redisUrl),
      `The address of the store: redis://user:password@host:port, or rediss:// for TLS; the password better as \${env:NAME}.`,
    ),
    Prefix: setting(
      prefix,
      'mortise',
      'What all keys in the store begin with. Replicas with the same prefix share state.',
    ),
    Tls: setting(bool, false, 'true: the connection uses TLS also if the URL begins with redis://.'),
    CaFile: setting(
      pathOrEmpty,
      '',
      'A file with the certificates that sign that of the store; empty: the usual ones.',
    ),
  },
  { required: ['Urls'] },
);
