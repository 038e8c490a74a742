import { expect, it } from 'vitest';
import type { Access } from '../../../src/access/access.js';
import type { AuditLog } from '../../../src/access/audit/audit-log.js';
import { createInterceptors } from '../../../src/call/interceptors/create-interceptors.js';
import type { Settings } from '../../../src/settings/settings.js';

it('a call that its scope does not allow is refused before it counts for a limit', () => {
  const settings = {
    Plugins: { MaxConcurrentCalls: 1, MaxQueuedCalls: 1 },
    Limits: { CallsPerSecond: 1 },
    Profiles: {},
    Auth: { Keys: [] },
  } as unknown as Settings;
  const { interceptors } = createInterceptors(settings, {} as Access, {} as AuditLog);
  const names = interceptors.map((interceptor) => interceptor.constructor.name);
  expect(names.slice(0, 3)).toEqual(['RequiredScope', 'AuditRequired', 'CallerLimiter']);
});
