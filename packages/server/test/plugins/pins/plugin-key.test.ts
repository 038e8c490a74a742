import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pluginKeys } from '../../../src/plugins/pins/plugin-key.js';
import { temporaryFolder } from './tools.js';

describe('a plugin is named', () => {
  it.each<[string, string[], string]>([
    ['by its place below the configuration', ['plugins', 'weather.mjs'], './plugins/weather.mjs'],
    ['by its place beside the configuration', ['weather'], './weather'],
    ['by its place elsewhere', ['..', 'shared', 'weather.mjs'], '../shared/weather.mjs'],
    ['by its place in a folder with dots', ['..plugins', 'weather.mjs'], './..plugins/weather.mjs'],
  ])('%s', (_, path, key) => {
    const folder = join(temporaryFolder(), 'home');
    mkdirSync(folder);
    expect(pluginKeys(folder)({ name: 'weather', path: join(folder, ...path) })).toBe(key);
  });

  it('by its name when it is a mounted server', () => {
    expect(pluginKeys('/somewhere')({ name: 'mcp.files' })).toBe('mcp.files');
  });

  it('the same whichever way leads to its folder', () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'real', 'plugins'), { recursive: true });
    symlinkSync(join(root, 'real'), join(root, 'link'), 'junction');
    const [real, link] = [join(root, 'real'), join(root, 'link')];
    const at = (folder: string, plugins: string) =>
      pluginKeys(folder)({ name: 'a', path: join(plugins, 'plugins/a.js') });
    expect([at(real, real), at(real, link), at(link, real), at(link, link)]).toEqual(Array(4).fill('./plugins/a.js'));
  });
});
