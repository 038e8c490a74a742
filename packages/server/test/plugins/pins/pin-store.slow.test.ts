import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { setUp } from './pin-stores.js';

describe('servers that write at the same time', () => {
  it('lose nothing, and no one ever reads half a file', async () => {
    const { file, pins } = setUp();
    const program = `
      const { createJiti } = await import(${JSON.stringify(createRequire(import.meta.url).resolve('jiti'))});
      const { PinStore } = await createJiti(${JSON.stringify(import.meta.url)}, { fsCache: false }).import(process.argv[1]);
      const pins = new Map([['t', { sha256: 'a'.repeat(64), definition: { description: 'x'.repeat(20000) } }]]);
      const store = new PinStore(process.argv[2]);
      for (let index = 0; index < 10; index++) {
        store.add('./' + process.argv[3] + index, () => pins);
        const problem = await store.flush();
        if (problem) throw new Error(problem.message);
      }`;
    const source = fileURLToPath(new URL('../../../src/plugins/pins/pin-store.ts', import.meta.url));
    const names = ['a', 'b', 'c'];
    const writers = names.map(async (name) => {
      const args = ['--input-type=module', '-e', program, source, file, name];
      const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
      return code;
    });
    let isWriting = true;
    const done = Promise.all(writers).finally(() => {
      isWriting = false;
    });
    while (isWriting) {
      expect(pins()).toBeInstanceOf(Map);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await done).toEqual([0, 0, 0]);
    const keys = names.flatMap((name) => Array.from({ length: 10 }, (_, index) => `./${name}${index}`));
    expect([...(pins() as Map<string, unknown>).keys()]).toEqual(keys);
  });
});
