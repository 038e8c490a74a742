import { describe, expect, it } from 'vitest';
import { pluginEnvironment, withheldNames } from '../../src/settings/plugin-environment.js';
import type { FetchedVariable } from '../../src/settings/setting-owner.js';
import type { Settings } from '../../src/settings/settings.js';

const ENV = {
  PATH: '/bin',
  HOME: '/home/a',
  LC_ALL: 'C',
  https_proxy: 'http://proxy',
  NODE_EXTRA_CA_CERTS: '/ca.pem',
  WEATHER_KEY: 'w',
  MAP_TOKEN: 'm',
  SHARED_KEY: 's',
  FREE: 'f',
  Auth__Keys__0__Key: 'secret',
  TZ: undefined,
};
const USUAL = {
  PATH: '/bin',
  HOME: '/home/a',
  LC_ALL: 'C',
  https_proxy: 'http://proxy',
  NODE_EXTRA_CA_CERTS: '/ca.pem',
};

const FETCHED: FetchedVariable[] = [
  {
    name: 'WEATHER_KEY',
    key: 'Plugins.Settings.weather.key',
    owner: { section: 'Plugins.Settings', name: 'Weather', pointer: '/key' },
  },
  {
    name: 'MAP_TOKEN',
    key: 'Plugins.McpServers.maps.env.TOKEN',
    owner: { section: 'Plugins.McpServers', name: 'maps', pointer: '/env/TOKEN' },
  },
  { name: 'SHARED_KEY', key: 'Plugins.Config.key' },
];

const WEATHER = { name: 'weather', isMounted: false };
const OTHER = { name: 'other', isMounted: false };
const MAPS = { name: 'mcp.maps', path: 'Plugins.McpServers.maps', isMounted: true };

function environmentOf(plugin: typeof WEATHER | undefined, options: Partial<Settings['Plugins']> = {}) {
  const Plugins = { Environment: 'inherit', Environments: {}, ShareConfig: true, ...options };
  return pluginEnvironment({ settings: { Plugins } as Pick<Settings, 'Plugins'>, fetched: FETCHED, env: ENV }, plugin);
}

describe('the environment of a plugin', () => {
  it('is that of the server, without its settings and without what is fetched for others', () => {
    const rest = { ...USUAL, FREE: 'f', SHARED_KEY: 's' };
    expect(environmentOf(OTHER)).toEqual(rest);
    expect(environmentOf(undefined)).toEqual(rest);
    expect(environmentOf(WEATHER)).toEqual({ ...rest, WEATHER_KEY: 'w' });
  });

  it('has no variable of Plugins.Config once that is not shared', () => {
    expect(environmentOf(OTHER, { ShareConfig: false })).toEqual({ ...USUAL, FREE: 'f' });
  });

  it('has with usual what programs need, and what was fetched for the plugin', () => {
    expect(environmentOf(OTHER, { Environment: 'usual' })).toEqual(USUAL);
    expect(environmentOf(WEATHER, { Environment: 'usual' })).toEqual({ ...USUAL, WEATHER_KEY: 'w' });
  });

  it('has with a list the usual variables and these, unless they are fetched for others', () => {
    expect(environmentOf(OTHER, { Environment: ['FREE', 'WEATHER_KEY'] })).toEqual({ ...USUAL, FREE: 'f' });
  });

  it('is for a single plugin what Plugins.Environments says, in any case of its name', () => {
    const options = { Environment: 'usual', Environments: { OTHER: ['WEATHER_KEY'], weather: 'inherit' } } as const;
    expect(environmentOf(OTHER, options)).toEqual({ ...USUAL, WEATHER_KEY: 'w' });
    expect(environmentOf(WEATHER, options)).toHaveProperty('FREE');
  });

  it('is of a mounted server the usual one, unless it has a choice of its own', () => {
    expect(environmentOf(MAPS)).toEqual({ ...USUAL, MAP_TOKEN: 'm' });
    expect(environmentOf(MAPS, { Environment: ['FREE'] })).toEqual({ ...USUAL, MAP_TOKEN: 'm', FREE: 'f' });
    expect(environmentOf(MAPS, { Environments: { 'mcp.maps': 'inherit' } })).toHaveProperty('FREE');
  });

  it('never has a setting of the server, even by its name', () => {
    expect(environmentOf(OTHER, { Environments: { other: ['Auth__Keys__0__Key'] } })).not.toHaveProperty(
      'Auth__Keys__0__Key',
    );
  });
});

describe('withheldNames', () => {
  it('are the variables that were fetched for one plugin or for the server itself', () => {
    const settings = { Plugins: { Environment: 'inherit', Environments: {}, ShareConfig: true } };
    const fetched = [...FETCHED, { name: 'STATE_KEY', key: 'Http.StateKey' }];
    expect(withheldNames({ settings: settings as never, fetched })).toEqual(['WEATHER_KEY', 'MAP_TOKEN', 'STATE_KEY']);
  });
});
