import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCsharpPlugins, installCsharp } from '../../../../test/support/csharp.js';
import { describeWithSdk } from '../../../dotnet/test/sdk.js';
import { createPackage } from './create-package.js';
import { createTrustedWorkplace, runMortise } from './run-mortise.js';

describeWithSdk('mortise pack of a C# plugin', () => {
  beforeAll(buildCsharpPlugins, 600_000);

  it('makes a package of its folder, which npm installs and the server loads', async () => {
    const workplace = createTrustedWorkplace({}, { Plugins: { Packages: ['kit'] } });
    const folder = installCsharp(workplace, 'Kit', 'Kit');
    await runMortise(workplace, ['pack', folder]);
    for (const [file, text] of [
      ['README.md', '# Kit'],
      ['LICENSE', 'MIT'],
    ] as const)
      workplace.write(`plugins/Kit/${file}`, text);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'kit', main: 'Kit.dll', files: expect.arrayContaining(['Kit.dll']) });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, license: 'MIT' }));
    const packed = await runMortise(workplace, ['pack', folder]);
    expect(packed).toMatchObject({ code: 0, stdout: expect.stringContaining('Packed: ') });

    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const args = ['install', '--legacy-peer-deps', '--no-audit', '--no-fund', './kit-1.0.0.tgz'];
    execFileSync(npm, args, { cwd: workplace.folder, env: { ...process.env, ...workplace.env } });
    rmSync(folder, { recursive: true });
    const { stdout } = await runMortise(workplace, ['list', 'kit']);
    expect(stdout).toMatch(/^✓ kit 1\.0\.0 .*\n {4}npm package kit@1\.0\.0, sha512-\S+\n {4}kit_caller /);
  });
});

describe('mortise pack', () => {
  it('packs the package in the working directory, and names the command that publishes it', async () => {
    const workplace = createPackage();
    const { stdout } = await runMortise(workplace, ['pack'], { cwd: join(workplace.folder, 'notes') });
    expect(stdout).toContain('  → Publish it: npm publish ./acme-notes-1.2.0.tgz\n');
  });

  it.each([
    ['a script that fails', { scripts: { prepack: 'node missing.mjs' } }, {}, 'NPM_FAILED'],
    ['a plugin without tools', {}, { 'src/index.js': 'export const nothing = 1;' }, 'NO_TOOLS'],
    ['a plugin for later versions', { peerDependencies: { '@mortise/plugin': '>=999' } }, {}, 'PLUGIN_API_MISMATCH'],
  ])('refuses %s', async (_, manifest, files, expected) => {
    const { code, stdout } = await runMortise(createPackage(manifest, files), ['pack', 'notes', '--json']);
    const { valid, tarball, problems } = JSON.parse(stdout);
    expect({ code, valid, tarball }).toEqual({ code: 1, valid: false, tarball: null });
    expect(problems.map((problem: { code: string }) => problem.code)).toContain(expected);
  });
});
