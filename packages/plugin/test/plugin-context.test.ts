import { NullProgressReporter, PluginContext } from '@mortise/plugin';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../src/logger.js';

describe('PluginContext', () => {
  const config = {
    api_key: 'k',
    Limits: { Max: 5, Enabled: false, 'a:b': 'flat' },
    'Weather:Unit': 'celsius',
    list: ['x'],
    none: null,
    Case: 'upper',
    case: 'lower',
  };
  const { getConfig } = new PluginContext({ config });

  it.each([
    ['api_key', 'k'],
    ['API_KEY', 'k'],
    ['limits:max', '5'],
    ['Limits:Enabled', 'false'],
    ['Limits:a:b', 'flat'],
    ['weather:unit', 'celsius'],
    ['Case', 'upper'],
    ['case', 'lower'],
    ['Limits', null],
    ['list', null],
    ['none', null],
    ['missing', null],
    ['', null],
    [':', null],
    ['api_key:x', null],
    ['constructor', null],
    ['__proto__', null],
    ['toString:name', null],
  ])('getConfig(%j) is %j', (key, value) => {
    expect(getConfig(key)).toBe(value);
  });

  it('needs no options, and takes a logger', () => {
    const lines: string[] = [];
    const logger = createLogger((level, message) => lines.push(`${level} ${message}`));
    new PluginContext({ logger }).logger.warn('careful');
    new PluginContext().logger.warn('nowhere');
    expect(new PluginContext().getConfig('a')).toBeNull();
    expect(lines).toEqual(['warn careful']);
  });
});

describe('NullProgressReporter', () => {
  it('takes reports and does nothing with them', () => {
    expect(new NullProgressReporter().report(50, 'half')).toBeUndefined();
    expect(NullProgressReporter.instance).toBeInstanceOf(NullProgressReporter);
  });
});
