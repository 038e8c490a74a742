import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { connect, type stdioTransport } from './support/clients.js';
import { CAN_SEE_PROCESSES, processesOf } from './support/processes.js';
import { runs } from './support/property-runs.js';
import { createWorkplace } from './support/workplace.js';

/** Each starts a process. */
const RELOADS = runs(20);
/** Until then caches fill and code is compiled. */
const WARM_UP = 15;
const MAX_GROWTH_MB = 20;
const MS_A_RELOAD = 3000;

const versionOf = (number: number) => `const timer = setInterval(() => {}, 10);
export function register(api) {
  api.registerTool({ name: 'a', description: 'version ${number}', run: () => '${number}' });
  api.onDispose(() => clearInterval(timer));
}`;

it.runIf(CAN_SEE_PROCESSES)(
  'many reloads in a row leave memory, handles and processes where they were',
  async () => {
    const workplace = createWorkplace({ 'plugins/a.mjs': versionOf(0) });
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
    const pid = (client.transport as ReturnType<typeof stdioTransport>).pid!;
    const observe = async () => {
      // The server, its reaper, the plugin's process and a spare.
      await expect.poll(() => processesOf(workplace)).toHaveLength(4);
      const status = readFileSync(`/proc/${pid}/status`, 'latin1');
      return {
        handles: readdirSync(`/proc/${pid}/fd`).length,
        mb: Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024,
      };
    };
    let version = 0;
    const reload = async (times: number) => {
      for (let count = 0; count < times; count++) {
        version += 1;
        workplace.write('plugins/a.mjs', versionOf(version));
        const reloaded = await client.callTool({ name: 'builtin.plugins', arguments: { action: 'Reload' } });
        expect(reloaded.structuredContent).toMatchObject({ changed: ['a'], failed: [] });
        const called = await client.callTool({ name: 'a', arguments: {} });
        expect(called).toMatchObject({ content: [{ text: `${version}` }] });
      }
    };

    await reload(WARM_UP);
    const before = await observe();
    await reload(RELOADS);
    const after = await observe();
    console.log(`${RELOADS} reloads:`, { before, after });
    expect(after.handles).toBe(before.handles);
    expect(after.mb - before.mb).toBeLessThan(MAX_GROWTH_MB);
  },
  (WARM_UP + RELOADS) * MS_A_RELOAD,
);
