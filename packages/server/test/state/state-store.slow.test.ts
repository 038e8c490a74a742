import { describe } from 'vitest';
import { shared } from '../../../../test/support/clients.js';
import { noRedis } from '../../../../test/support/redis.js';
import { testConformance } from './state-conformance.js';
import { redisStores, startSharedRedis } from './state-stores.js';

describe.skipIf(noRedis)('a store in Redis that answers after 250 ms', () => {
  const redis = shared(startSharedRedis);
  testConformance(() => redisStores(redis(), 125));
});
