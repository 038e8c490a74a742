import { suggestNames } from '@mortise/plugin/runtime';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toWireName } from '../../src/core/wire-names.js';

const toolName = fc.stringMatching(/^[A-Za-z0-9_.-]{1,128}$/);
const longName = fc.stringMatching(/^[A-Za-z0-9_.-]{65,128}$/);

describe('toWireName', () => {
  it.each([
    ['weather.temperature', 'portable', 'weather_temperature'],
    ['weather.temperature', 'exact', 'weather.temperature'],
    ['get-weather_2', 'portable', 'get-weather_2'],
    ['a..b.', 'portable', 'a__b_'],
    ['x'.repeat(64), 'portable', 'x'.repeat(64)],
    ['x'.repeat(128), 'exact', 'x'.repeat(128)],
  ] as const)('shows %s in style %s as %s', (name, style, wireName) => {
    expect(toWireName(name, style)).toBe(wireName);
  });

  it('shortens what is too long to 64, with a hash at its end', () => {
    expect(toWireName(`tool.${'x'.repeat(60)}`, 'portable')).toMatch(/^tool_x{50}_[0-9a-f]{8}$/);
  });

  it('shortens to the 128 that MCP allows what is shown as it is, with the prefix of a mounted server', () => {
    const name = `mcp.server.${'x'.repeat(128)}`;
    expect(toWireName(name, 'exact')).toMatch(/^mcp\.server\.x{108}_[0-9a-f]{8}$/);
    expect(toWireName(name, 'portable')).toMatch(/^mcp_server_x{44}_[0-9a-f]{8}$/);
  });

  it('always gives a name that every client takes, and gives it again when asked for itself', () => {
    fc.assert(
      fc.property(toolName, (name) => {
        const wireName = toWireName(name, 'portable');
        expect(wireName).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(toWireName(wireName, 'portable')).toBe(wireName);
      }),
    );
  });

  it('keeps long names distinct that begin alike', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9_.-]{1,28}$/), { minLength: 2, maxLength: 2 }),
        (suffixes) => {
          const wireNames = suffixes.map((abortReason) => toWireName('x'.repeat(100) + abortReason, 'portable'));
          expect(new Set(wireNames).size).toBe(2);
        },
      ),
    );
  });

  it('keeps distinct long names distinct', () => {
    fc.assert(
      fc.property(longName, longName, (a, b) => {
        fc.pre(a !== b);
        expect(toWireName(a, 'portable')).not.toBe(toWireName(b, 'portable'));
      }),
    );
  });
});

describe('near', () => {
  const names = ['weather_temperature', 'weather_forecast', 'greet', 'dotnet_project', 'add'];

  it.each([
    ['weather_temprature', ['weather_temperature']],
    ['Weather.Temperature', ['weather_temperature']],
    ['getWeatherForecast', ['weather_forecast']],
    ['weather', ['weather_forecast', 'weather_temperature']],
    ['geret', ['greet']],
    ['project', ['dotnet_project']],
    ['ad', ['add']],
    ['xyz', []],
    ['', []],
    ['...', []],
  ])('finds for %s: %o', (name, expected) => {
    expect(suggestNames(name, names)).toEqual(expected);
  });

  it('puts the nearest first and gives at most three', () => {
    expect(suggestNames('tool1', ['tool22', 'tool10', 'tool1', 'tool2', 'tool3'])).toEqual([
      'tool1',
      'tool10',
      'tool2',
    ]);
  });

  it('finds a name again that has lost one of its letters', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{5,40}$/), fc.nat(39), (name, at) => {
        const i = at % name.length;
        expect(suggestNames(name.slice(0, i) + name.slice(i + 1), [name])).toEqual([name]);
      }),
    );
  });

  it('is quick whatever the caller asks for', () => {
    const many = Array.from({ length: 1_000 }, (_, i) => `${'n'.repeat(120)}${i}`);
    expect(suggestNames('n'.repeat(1_000_000), many).length).toBeLessThanOrEqual(3);
  });
});
