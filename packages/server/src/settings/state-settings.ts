import {
  bool,
  choice,
  described,
  list,
  name,
  pathOrEmpty,
  prefix,
  record,
  redisUrl,
  setting,
} from './setting-schema.js';

/** `State.Redis` (docs/spec/shared.md#store). */
export const REDIS = record(
  {
    Urls: described(
      list(redisUrl),
      `The addresses of the store: redis://user:password@host:port, or rediss:// for TLS; the password better as \${env:NAME}.`,
    ),
    Mode: setting(
      choice('single', 'sentinel', 'cluster'),
      'single',
      'single: one server. sentinel: Urls are of Redis Sentinel, which knows the primary. cluster: Urls are of servers of a Redis Cluster.',
    ),
    SentinelName: described(name, 'The name of the primary in Redis Sentinel.'),
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
