import { describe, expect, it } from 'vitest';
import { shared } from '../support/clients.js';
import { ALL, seenBy, VARIABLES, workplaceWith } from './spying-plugins.js';

describe('a plugin that writes down its whole environment and configuration', () => {
  const seen = shared((finished) => seenBy(workplaceWith({}, finished), ALL, finished));

  it('sees its own section first, and then what is shared', () => {
    expect(seen().weather!.settings).toEqual({
      key: VARIABLES.WEATHER_KEY,
      region: 'north',
      shared: 'for all',
      fetched: VARIABLES.CONFIG_KEY,
      'weather:key': null,
      'Settings:weather:key': null,
      'Plugins:Settings:weather:key': null,
    });
    expect(seen().named!.settings).toEqual({ key: 'of renamed', shared: 'for all' });
  });

  it('sees no section of another plugin', () => {
    expect(seen().other!.settings).toMatchObject({ key: 'of Config', region: null, 'Settings:weather:key': null });
  });

  it('sees no variable that was fetched for another plugin, a mounted server or the server itself', () => {
    expect(seen().weather!.variables).toEqual(['WEATHER_KEY', 'CONFIG_KEY', 'FREE']);
    expect(seen().other!.variables).toEqual(['CONFIG_KEY', 'FREE']);
    expect(seen().named!.variables).toEqual(['CONFIG_KEY', 'FREE']);
    expect(JSON.stringify(seen().other)).not.toMatch(/value-of-(?:weather|maps|the)/);
  });

  it('sees as a mounted server the usual variables, its entry, and what was fetched for it', () => {
    expect(seen().mounted!.variables).toEqual(['MAPS_KEY']);
    expect(seen().mounted!.env.TOKEN).toBe(VARIABLES.MAPS_KEY);
  });
});

it('sees nothing that is shared with Plugins.ShareConfig false', async () => {
  const { other } = await seenBy(workplaceWith({ ShareConfig: false }), { other: 'other' });
  expect(other!.variables).toEqual(['FREE']);
  expect(Object.values(other!.settings).every((value) => value === null)).toBe(true);
});

it('sees what Plugins.Environment and Plugins.Environments allow', async () => {
  const workplace = workplaceWith({ Environment: 'usual', Environments: { other: ['FREE'] } });
  const { weather, other } = await seenBy(workplace, { weather: 'weather', other: 'other' });
  expect(weather!.variables).toEqual(['WEATHER_KEY']);
  expect(other!.variables).toEqual(['FREE']);
});
