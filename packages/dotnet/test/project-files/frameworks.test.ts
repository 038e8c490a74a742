import { describe, expect, it } from 'vitest';
import {
  describeFramework,
  frameworkCatalog,
  frameworkProblem,
  runtimeProblem,
  supportAdvice,
} from '../../src/project-files/frameworks.js';

describe('frameworkProblem', () => {
  it.each(
    `net10.0 net9.0 net8.0 net5.0 net11.0 NET8.0 netcoreapp3.1 netcoreapp1.0 netstandard2.0 netstandard2.1 netstandard1.6
     net48 net472 net35 net403 net4.8 net40-client net10.0-windows10.0.19041.0 net10.0-windows net9.0-android35
     net10.0-ios18.0 net8.0-maccatalyst uap10.0.16299`.split(/\s+/),
  )('accepts %s', (tfm) => {
    expect(frameworkProblem(tfm)).toBeUndefined();
  });

  it.each([
    ...'network net netcore netcoreapp netstandard net- net10.0- net10.0-windows. net10.0windows net4.9 net99'.split(
      ' ',
    ),
    ...'invalid-framework java11 python3.9 not-a-framework netstandard3.0 netcoreapp4.0 net3.0 -f $(A)'.split(' '),
    'net10.0;net9.0',
    'net10.0 ',
    'net10.0\n',
    '',
  ])('refuses %j', (tfm) => {
    expect(frameworkProblem(tfm)).toContain(`'${tfm}'`);
  });

  it('names the moniker that was meant', () => {
    expect(frameworkProblem('net10')).toContain('net10.0');
  });
});

describe('describeFramework', () => {
  it.each([
    ['net10.0', { description: '.NET 10.0 (LTS)', version: '10.0', isLts: true, isModernNet: true }],
    ['net9.0', { description: '.NET 9.0', isLts: false, isModernNet: true }],
    ['net8.0-Windows10.0.19041.0', { description: '.NET 8.0 (LTS) for Windows 10.0.19041.0', platform: 'windows' }],
    ['netcoreapp3.1', { description: '.NET Core 3.1 (LTS)', isLts: true, isNetCore: true, isModernNet: false }],
    ['netcoreapp2.2', { isLts: false, isNetCore: true }],
    ['netstandard2.0', { description: '.NET Standard 2.0', isNetStandard: true, isLts: false }],
    ['net472', { description: '.NET Framework 4.7.2', version: '4.7.2', isNetFramework: true }],
    ['net20', { version: '2.0', isNetFramework: true }],
  ])('says what %s is', (tfm, details) => {
    expect(describeFramework(tfm)).toMatchObject({ tfm, ...details });
  });
});

describe('frameworkCatalog', () => {
  it('has net11.0 only with an 11.x SDK', () => {
    const tfms = (versions: string[]) => frameworkCatalog(versions).modernFrameworks.map(({ tfm }) => tfm);
    expect(tfms(['10.0.401', '8.0.110'])).toEqual(['net10.0', 'net9.0', 'net8.0', 'net7.0', 'net6.0', 'net5.0']);
    expect(tfms(['11.0.100-preview.1'])[0]).toBe('net11.0');
  });

  it('lists what it describes', () => {
    const catalog = frameworkCatalog([]);
    expect(catalog.netCoreFrameworks).toHaveLength(7);
    expect(catalog.netCoreFrameworks.every(({ isNetCore }) => isNetCore)).toBe(true);
    expect(catalog.netStandardFrameworks.every(({ isNetStandard }) => isNetStandard)).toBe(true);
    expect(describeFramework(catalog.latestLts)?.isLts).toBe(true);
    expect(catalog.latestRecommended).toBe('net10.0');
  });
});

describe('runtimeProblem', () => {
  it.each(
    `linux-x64 linux-musl-arm64 browser-wasm any osx.13-arm64 win10-x64 WIN-X64 ios-arm64 iossimulator-x64
     linux-bionic-arm64 maccatalyst-x64 linux-s390x linux-riscv64 ubuntu.22.04-x64 win`.split(/\s+/),
  )('accepts %s', (rid) => {
    expect(runtimeProblem(rid)).toBeUndefined();
  });

  it.each(['not-a-runtime', 'windows-x64', 'macos-arm64', 'invalid-rid', 'linux-', '-r', 'linux x64', 'linux;x', ''])(
    'refuses %j',
    (rid) => {
      expect(runtimeProblem(rid)).toBeTypeOf('string');
    },
  );
});

it.each([
  ['net6.0', 'net6.0 has support until 2024-11-12; the latest long-term support release is net10.0.'],
  ['net8.0-windows', 'net8.0-windows has support until 2026-11-10; the latest long-term support release is net10.0.'],
  ['netcoreapp3.1', 'netcoreapp3.1 has support until 2022-12-13; the latest long-term support release is net10.0.'],
  ['net461', 'net461 has support until 2022-04-26; use net462 or later.'],
  ['net10.0', undefined],
  ['net11.0', undefined],
  ['net48', undefined],
  ['netstandard2.0', undefined],
])('the support of %s', (tfm, advice) => {
  expect(supportAdvice(tfm)).toBe(advice);
});
