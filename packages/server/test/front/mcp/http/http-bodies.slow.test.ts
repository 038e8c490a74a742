import { expect, test } from 'vitest';
import { waitFor } from '../../../../../../test/support/wait-for.js';
import { withHttp } from '../http-wire.js';

test('close() does not wait forever for a call that does not end', () =>
  withHttp({}, async (wire, host) => {
    const call = wire.modern('tools/call', { name: 'slow' }).catch(() => 'gone');
    await waitFor(() => host.events.includes('start slow'));
    await wire.served.close();
    expect(host.events).toContain('abort slow');
    await call;
  }));
