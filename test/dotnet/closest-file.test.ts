import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const MORTISE = fileURLToPath(new URL('../../packages/server/bin/mortise.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'mortise-closest-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('recommends the call with the most similar file, and logs nothing', () => {
  writeFileSync(join(folder, 'Shop.csproj'), '<Project />');
  writeFileSync(join(folder, 'appsettings.json'), '{}');
  const args = ['call', 'dotnet_project', '--arg', 'action=GetProperty', '--arg', 'propertyName=A'];
  const { stdout, stderr } = spawnSync(process.execPath, [MORTISE, ...args, '--arg', 'project=Shopp.csproj'], {
    ...{ cwd: folder, encoding: 'utf8' },
    env: { PATH: process.env.PATH, HOME: folder },
  });
  expect(stdout + stderr).toContain('"project":"Shop.csproj"');
  expect(stderr).not.toContain('warn');
});
