import { expect, test } from 'vitest';
import { userConfigDir } from '../../src/settings/paths.js';

const home = (path: string) => () => path;

test.each([
  ['linux', {}, '/home/a', '/home/a/.config/mortise'],
  ['linux', { XDG_CONFIG_HOME: '/conf' }, '/home/a', '/conf/mortise'],
  ['linux', { XDG_CONFIG_HOME: 'conf' }, '/home/a', '/home/a/.config/mortise'],
  ['freebsd', { XDG_CONFIG_HOME: '' }, '/home/a', '/home/a/.config/mortise'],
  ['linux', { XDG_CONFIG_HOME: '/conf' }, '', '/conf/mortise'],
  ['linux', {}, '', undefined],
  ['linux', {}, 'home', undefined],
  ['darwin', { XDG_CONFIG_HOME: '/conf' }, '/Users/a', '/Users/a/Library/Application Support/mortise'],
  ['win32', { APPDATA: 'C:\\Users\\a\\AppData\\Roaming' }, 'C:\\Users\\a', 'C:\\Users\\a\\AppData\\Roaming\\mortise'],
  ['win32', {}, 'C:\\Users\\a', 'C:\\Users\\a\\AppData\\Roaming\\mortise'],
  ['win32', { APPDATA: 'x' }, '', undefined],
] as const)('on %s with %j and home %j the user configuration is in %j', (platform, env, homeDir, expected) => {
  expect(userConfigDir({ platform, env, homeDir: home(homeDir) })).toBe(expected);
});
