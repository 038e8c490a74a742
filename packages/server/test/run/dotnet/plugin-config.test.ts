import { withSection } from '@mortise/plugin/runtime';
import { describe, expect, it } from 'vitest';
import { flatConfig, settingsProblem } from '../../../src/run/dotnet/plugin-config.js';

describe('the configuration of a C# plugin', () => {
  it.each<[string, object, object]>([
    ['texts as they are', { api_key: 'k' }, { api_key: 'k' }],
    ['numbers as their text', { port: 8080, ratio: 0.5, large: 1e21 }, { port: '8080', ratio: '0.5', large: '1e+21' }],
    ['booleans as .NET spells them', { on: true, off: false }, { on: 'True', off: 'False' }],
    ['what is in objects under its path', { a: { b: { c: 1 } } }, { 'a:b:c': '1' }],
    ['what is in lists under its place', { list: ['x', { y: 'z' }] }, { 'list:0': 'x', 'list:1:y': 'z' }],
    ['nothing for null and what is empty', { none: null, empty: {}, list: [] }, {}],
    ['a whole key before its path', { a: { b: 'path' }, 'a:b': 'key' }, { 'a:b': 'key' }],
    ['the first of two that differ in case', { Key: '1', key: '2' }, { Key: '1' }],
  ])('has %s', (_, config, flat) => {
    expect(flatConfig(config)).toEqual(flat);
  });
});

describe('the section of a C# plugin', () => {
  it('replaces keys of Plugins.Config with everything below them, whatever their case', () => {
    const config = { Key: 'config', list: ['a', 'b'], other: 1 };
    expect(flatConfig(withSection(config, { key: 'own', list: ['c'], more: true }))).toEqual({
      key: 'own',
      'list:0': 'c',
      more: 'True',
      other: '1',
    });
  });

  it('is a problem with its place if a reference in it cannot be fetched', () => {
    const settings = { key: 'Plugins.Settings.kit', values: {}, dataDir: '/data' };
    expect(settingsProblem({ ...settings, places: {}, unavailable: [] }, '/kit.dll')).toBeUndefined();
    const unavailable = [{ pointer: '/Zone', message: 'm', hint: 'h' }];
    const places = { '/zone': { file: '/appsettings.json', line: 3, column: 5 } };
    expect(settingsProblem({ ...settings, places, unavailable }, '/kit.dll')).toEqual({
      severity: 'error',
      code: 'SETTING_UNAVAILABLE',
      message: 'm',
      hint: 'h',
      location: { file: '/appsettings.json', line: 3, column: 5 },
    });
  });
});
