import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/settings/plugin-limits.js';
import { bundlePath } from '../../../src/util/package-root.js';

describe.skipIf(process.platform === 'win32')('a process that the operating system does not start', () => {
  const module = (name: string) => JSON.stringify(new URL(`../../../build/${name}.js`, import.meta.url));
  const script = `
    import { closeSync, openSync } from 'node:fs';
    import { createProcessPool } from ${module('run/process/process-pool')};
    import { createReaper } from '@mortise/process';
    const log = new Proxy({}, { get: () => () => {} });
    const redactor = { lines: (emit) => ({ add: emit, end() {} }) };
    const reaper = createReaper(${JSON.stringify(bundlePath('reaper-main.cjs'))});
    const pool = createProcessPool({ maxMemoryMb: 256, limits: ${JSON.stringify(DEFAULT_LIMITS)}, log, reaper, redactor, commonEnvironment: () => process.env });
    const files = [];
    try { for (;;) files.push(openSync('/dev/null')); } catch {}
    const failed = pool.take(process.env);
    pool.prepare();
    console.log(await failed.request({ do: 'ping' }).catch(({ reason }) => reason));
    // By then the spare was tried as well.
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (const file of files) closeSync(file);
    console.log(await pool.take(process.env).request({ do: 'ping' }));
    await pool.close();
    reaper.close();`;

  it('says why, and the next one is started when it can be', () => {
    const command = ['-c', 'ulimit -n 128; exec "$@"', '-', process.execPath, '--input-type=module', '-e', script];
    const { stdout, stderr } = spawnSync('sh', command, { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^it could not be started: .*EMFILE.*\nnull\n$/);
  });
});
