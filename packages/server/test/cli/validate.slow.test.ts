import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startHttp } from '../../../../test/support/clients.js';
import { createTrustedWorkplace, runMortise } from './run-mortise.js';

describe('mortise validate', () => {
  it('does not take the metrics of the running server for those of another program', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const workplace = createTrustedWorkplace({}, { Telemetry: { Metrics: true, MetricsPort: port } });
    await startHttp(workplace);
    const { code, stdout } = await runMortise(workplace, ['validate', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).problems).toMatchObject([
      {
        severity: 'warning',
        message: expect.stringContaining(`Telemetry.MetricsPort is ${port}, where a running Mortise`),
      },
    ]);
  });
});
