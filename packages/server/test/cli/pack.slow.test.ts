import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPackage } from './create-package.js';
import { runMortise } from './run-mortise.js';

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
