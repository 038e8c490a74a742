import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runMortise } from '../packages/server/test/cli/run-mortise.js';
import { startServer, workplaceWith } from './measured-plugin.js';
import { shared, startHttp } from './support/clients.js';
import { createWorkplace, type Workplace } from './support/workplace.js';

describe('the metrics of a server', () => {
  const opened = shared(startServer);

  it('have sessions, processes, crashes, reloads, and what waits', async () => {
    const { client, value, process } = opened();
    await client.callTool({ name: 'echo', arguments: {} });
    expect(await value(/^mortise_sessions /)).toBe(1);
    expect(await value(/^mortise_plugin_processes /)).toBeGreaterThan(0);
    expect(await value(/^mortise_calls_running /)).toBe(0);
    expect(await value(/^mortise_calls_waiting /)).toBe(0);
    expect(await value(/^mortise_plugin_crashes_total /)).toBe(0);
    await client.callTool({ name: 'crash', arguments: {} });
    await expect.poll(() => value(/^mortise_plugin_crashes_total /)).toBe(1);
    process.kill('SIGHUP');
    await expect.poll(() => value(/^mortise_reloads_total /)).toBe(1);
  });

  it('need a key on the port of MCP, and are not there unless they are wanted', async () => {
    const statusOf = async (workplace: Workplace) => {
      const { url } = await startHttp(workplace);
      return (await fetch(new URL('/metrics', url))).status;
    };
    expect(await statusOf(workplaceWith(0))).toBe(403);
    expect(await statusOf(createWorkplace({}, { Plugins: { Directory: 'plugins' } }))).toBe(404);
  });

  it('end the start of a server whose port is taken, by the name of the setting', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const workplace = workplaceWith(port);
    const { code, stderr } = await runMortise(workplace, ['serve', '--config', workplace.config]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `Telemetry.MetricsPort is ${port}, which cannot be listened on: another program listens on it.`,
    );
  });
});
