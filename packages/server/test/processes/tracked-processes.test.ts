import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { processesWith } from '../../../../test/support/processes.js';
import { waitFor } from '../../../../test/support/wait-for.js';
import { bundlePath } from '../../src/util/package-root.js';

/** A server's process that owns a group whose leader has started one more process in a group of its own. */
const OWNER = `
import { spawn } from 'node:child_process';
const [, , processModule, trackedModule, reaperMain] = process.argv;
const { createReaper } = await import(processModule);
const { createTrackedProcesses } = await import(trackedModule);
const tracked = createTrackedProcesses(createReaper(reaperMain));
const far = "require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {detached: true, stdio: 'ignore'}).unref(); setInterval(() => {}, 1000)";
const child = spawn(process.execPath, ['-e', far], { detached: true, stdio: 'ignore', env: { ...process.env, ...tracked.environment } });
const group = tracked.own(child.pid);
process.stdin.on('data', (order) => {
  if (String(order).trim() === 'end') { tracked.end(); }
  if (String(order).trim() === 'leader') { child.kill('SIGKILL'); child.once('exit', () => { group.remove(); console.log('gone'); }); }
});
console.log(Object.values(tracked.environment)[0].split(' ').at(-1));
`;

async function startOwner() {
  const folder = mkdtempSync(join(tmpdir(), 'mortise-owned-'));
  const script = join(folder, 'owner.mjs');
  writeFileSync(script, OWNER);
  const modules = ['../../../process/build/index.js', '../../build/processes/tracked-processes.js'].map(
    (path) => new URL(path, import.meta.url).href,
  );
  const owner = spawn(process.execPath, [script, ...modules, bundlePath('reaper-main.cjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const tag = String((await once(owner.stdout, 'data'))[0]).trim();
  return { owner, tag };
}

const tagged = (tag: string): number => processesWith(tag).length;

it.skipIf(process.platform !== 'linux')('nothing that was owned outlives a killed server', async () => {
  const { owner, tag } = await startOwner();
  await waitFor(() => tagged(tag) === 2);
  owner.kill('SIGKILL');
  await waitFor(() => tagged(tag) === 0);
});

it.skipIf(process.platform !== 'linux')('what left an ended group continues until the plugin ends', async () => {
  const { owner, tag } = await startOwner();
  await waitFor(() => tagged(tag) === 2);
  owner.stdin.write('leader\n');
  await once(owner.stdout, 'data');
  // Nothing ends it meanwhile.
  await delay(200);
  expect(tagged(tag)).toBe(1);
  owner.stdin.write('end\n');
  await waitFor(() => tagged(tag) === 0);
  owner.kill();
});
