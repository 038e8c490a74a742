import { describe } from 'vitest';
import { shared } from '../../../../test/support/clients.js';
import { noRedis } from '../../../../test/support/redis.js';
import { testConformance } from './state-conformance.js';
import { memoryStores, redisStores, startSharedRedis } from './state-stores.js';

describe('a store in memory', () => testConformance(memoryStores));

describe.skipIf(noRedis)('a store in Redis', () => {
  const redis = shared(startSharedRedis);
  testConformance(() => redisStores(redis()));
});
