import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scaffold } from '../../../src/cli/new/scaffold.js';
import { emptyFolder, expectCompletePlugin, KINDS, REPOSITORY, runItsTests } from './new-plugins.js';

// scaffold.slow.test.ts makes one of each kind.
it.each(KINDS.filter(({ style, isFull }) => isFull === (style === 'typescript')).slice(0, 2))(
  'a new $size plugin of style $style passes its own tests with nothing installed, and holds no trace of the template',
  expectCompletePlugin,
);

describe('the tool of a new plugin', () => {
  it.each(['javascript', 'typescript'])('is short in %s', (style) => {
    const { files } = scaffold({ name: 'my-tool', style, directory: emptyFolder() });
    const index = files.find((file) => /index\.[jt]s$/.test(file))!;
    expect(readFileSync(index, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(20);
  });
});

it.each([false, true])(
  'a new plugin uses definePlugin and api.defineTool, and with --full has a setting (%s)',
  (isFull) => {
    const { files } = scaffold({ name: 'zebra', isFull, directory: emptyFolder() });
    const text = readFileSync(files.find((file) => file.endsWith('index.js'))!, 'utf8');
    expect(text).toMatch(/export default definePlugin\(\{[\s\S]*api\.defineTool\(\{/);
    expect(text.includes('Plugins.Settings.zebra')).toBe(isFull);
  },
);

describe('the contract package of a new plugin', () => {
  it('is not copied where it is installed', () => {
    const root = emptyFolder();
    mkdirSync(join(root, 'node_modules/@mortise'), { recursive: true });
    symlinkSync(join(REPOSITORY, 'packages/plugin'), join(root, 'node_modules/@mortise/plugin'), 'junction');
    const { folder, copiedPackages } = scaffold({ name: 'my-tool', directory: join(root, 'plugins') });
    expect(copiedPackages).toEqual([]);
    expect(existsSync(join(folder, 'node_modules'))).toBe(false);
    expect(runItsTests(folder).status).toBe(0);
  });

  it('is in package.json in the version that the server has', () => {
    const { folder } = scaffold({ name: 'my-tool', directory: emptyFolder() });
    const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'packages/plugin/package.json'), 'utf8'));
    const json = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const range = { '@mortise/plugin': `^${version}` };
    expect(json).toMatchObject({ name: 'my-tool', peerDependencies: range, devDependencies: range });
    expect(json).not.toHaveProperty('dependencies');
    expect(existsSync(join(dirname(folder), 'my-tool/node_modules/@mortise/plugin/dist/index.js'))).toBe(true);
  });
});
