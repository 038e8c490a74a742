import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { FileLocks } from '../../packages/dotnet/src/locks/file-locks.js';
import { createOwner } from '../../packages/dotnet/src/locks/lock-entry.js';

const root = mkdtempSync(join(tmpdir(), 'mortise-forged-'));
const target = { scope: 'project', path: '/forged/App.csproj' } as const;
/** Of this process: a lock of it would be respected, were the rest of it right. */
const owner = createOwner();
const entry = { id: 'x', owner, operation: 'build', at: '2026-01-01T00:00:00Z', targets: [target] };
const without = (member: string) => Object.fromEntries(Object.entries(entry).filter(([name]) => name !== member));
const lockEntry = (more: object) => ({ ...entry, owner: { ...owner, ...more } });

const FORGED: [string, unknown][] = [
  ...[-1, 0, 1.5, 2 ** 40, Number.MAX_SAFE_INTEGER, '1', null, [], {}, true].map((pid): [string, unknown] => [
    `pid ${JSON.stringify(pid)}`,
    lockEntry({ pid }),
  ]),
  ...['../../x', 'a/b', '', 'x'.repeat(100), null, 7].map((id): [string, unknown] => [
    `owner id ${JSON.stringify(id)}`,
    lockEntry({ id }),
  ]),
  ...(['start', 'host'] as const).flatMap((member) =>
    [null, 7, '', 'x'.repeat(1000)].map((value): [string, unknown] => [
      `${member} ${JSON.stringify(value)?.slice(0, 20)}`,
      lockEntry({ [member]: value }),
    ]),
  ),
  ...['owner', 'id', 'operation', 'at', 'targets'].map((name): [string, unknown] => [`no ${name}`, without(name)]),
  ...[null, {}, [null], [{}], [{ scope: 'planet', path: '/x' }], [{ scope: 'project', path: 7 }], 'all'].map(
    (targets): [string, unknown] => [`targets ${JSON.stringify(targets)}`, { ...entry, targets }],
  ),
  ...[null, 7, 'text', [], {}, { owner: null }, { owner: [] }].map((value): [string, unknown] => [
    `the value ${JSON.stringify(value)}`,
    value,
  ]),
  ['a call id that is a list', { ...entry, callId: [] }],
  ['a host of the same name and a start of none', lockEntry({ host: hostname(), start: ' ' })],
];

let passed = 0;
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
  console.log(`forged locks: ${FORGED.length} tried, ${passed} held`);
});

it.each(FORGED)('a lock with %s holds no one up, and is reported', async (name, value) => {
  const folder = mkdtempSync(join(root, 'l-'));
  writeFileSync(join(folder, `${'a'.repeat(16)}.lock`), JSON.stringify(value));
  const messages: string[] = [];
  const locks = new FileLocks({ folder, report: (message) => messages.push(message) });
  const request = { targets: [target], operation: 'build', waitMs: 0, signal: new AbortController().signal };
  const answer = await locks.acquire(request);
  expect(answer).toHaveProperty('acquired');
  if (name.startsWith('a host')) expect(readdirSync(folder)).toHaveLength(1);
  else expect(messages.some((item) => item.includes('is not a lock of Mortise'))).toBe(true);
  await locks.close();
  expect(readdirSync(folder)).toEqual([]);
  passed += 1;
});
