import { describe, expect, it } from 'vitest';
import { flatConfig } from '../../../src/runners/dotnet/plugin-config.js';

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
