import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { SettingsError } from '../../src/settings/settings-error.js';
import { createTrustStore } from '../../src/settings/trusted-config.js';
import { Sandbox } from './sandbox.js';

function setUp() {
  const sandbox = new Sandbox();
  return { sandbox, store: createTrustStore(sandbox.userConfigDir), storeDir: join(sandbox.userConfigDir, 'trusted') };
}

test('a folder is trusted from trust to untrust', () => {
  const { sandbox, store } = setUp();
  expect(store.isTrusted(sandbox.cwd)).toBe(false);
  expect(store.list()).toEqual([]);
  expect(store.trust(join(sandbox.cwd, '..', 'work'))).toBe(sandbox.cwd);
  expect(store.isTrusted(sandbox.cwd)).toBe(true);
  expect(store.list()).toEqual([sandbox.cwd]);
  expect(store.untrust(sandbox.cwd)).toBe(true);
  expect(store.isTrusted(sandbox.cwd)).toBe(false);
  expect(store.untrust(sandbox.cwd)).toBe(false);
});

test('neither what is below a trusted folder nor what is above it is trusted', () => {
  const { sandbox, store } = setUp();
  store.trust(sandbox.cwd);
  sandbox.write('child/x', '');
  expect(store.isTrusted(join(sandbox.cwd, 'child'))).toBe(false);
  expect(store.isTrusted(sandbox.root)).toBe(false);
});

test('what is not a folder cannot be trusted', () => {
  const { sandbox, store } = setUp();
  const file = sandbox.write('file', '');
  expect(() => store.trust(file)).toThrow(SettingsError);
  expect(() => store.trust(join(sandbox.cwd, 'nowhere'))).toThrow(/does not exist/);
});

test('a folder that is gone can be untrusted', () => {
  const { sandbox, store } = setUp();
  const folder = join(sandbox.cwd, 'gone');
  mkdirSync(folder);
  store.trust(folder);
  rmSync(folder, { recursive: true });
  expect(store.untrust(folder)).toBe(true);
});

test.each(['', '{"folder": ', '[]', 'null', '{"folder": 5}'])(
  'an entry that holds %j is an error, not trust',
  (content) => {
    const { sandbox, store } = setUp();
    store.trust(sandbox.cwd);
    sandbox.damageTrust(content);
    expect(() => store.isTrusted(sandbox.cwd)).toThrow(/is damaged/);
    expect(() => store.list()).toThrow(SettingsError);
  },
);

test('an entry that names another folder is not trust', () => {
  const { sandbox, store } = setUp();
  store.trust(sandbox.cwd);
  sandbox.damageTrust('{"folder": "/elsewhere"}');
  expect(store.isTrusted(sandbox.cwd)).toBe(false);
  store.trust(sandbox.cwd);
  expect(store.isTrusted(sandbox.cwd)).toBe(true);
});

test('nothing half-written is left, and what a crash left is not trust', () => {
  const { sandbox, store, storeDir } = setUp();
  store.trust(sandbox.cwd);
  expect(readdirSync(storeDir)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/)]);
  writeFileSync(join(storeDir, `${'0'.repeat(64)}.json.x.tmp`), '{"fol');
  expect(store.list()).toEqual([sandbox.cwd]);
});

test('a store that cannot be written is an error', () => {
  const { sandbox, store, storeDir } = setUp();
  writeFileSync(storeDir, 'in the way');
  expect(() => store.trust(sandbox.cwd)).toThrow(SettingsError);
});

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('a store that cannot be read is an error', () => {
  const { sandbox, store, storeDir } = setUp();
  store.trust(sandbox.cwd);
  chmodSync(storeDir, 0);
  expect(() => store.list()).toThrow(SettingsError);
  chmodSync(storeDir, 0o700);
});

test('processes that trust at the same time lose nothing', { timeout: 30_000 }, async () => {
  const { sandbox, store } = setUp();
  const folders = Array.from({ length: 40 }, (_, index) => join(sandbox.cwd, `f${String(index).padStart(2, '0')}`));
  for (const folder of folders) mkdirSync(folder);
  const program = `
    const { createJiti } = await import(${JSON.stringify(createRequire(import.meta.url).resolve('jiti'))});
    const { createTrustStore } = await createJiti(${JSON.stringify(import.meta.url)}, { fsCache: false }).import(process.argv[1]);
    const store = createTrustStore(process.argv[2]);
    for (const folder of process.argv.slice(3)) store.trust(folder);`;
  const source = fileURLToPath(new URL('../../src/settings/trusted-config.ts', import.meta.url));
  const codes = await Promise.all(
    [0, 10, 20, 30].map(async (from) => {
      // Ten of its own, and ten that another process writes too.
      const mine = [...folders, ...folders].slice(from, from + 20);
      const args = ['--input-type=module', '-e', program, source, sandbox.userConfigDir, ...mine];
      const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
      return code;
    }),
  );
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(store.list()).toEqual(folders);
});
