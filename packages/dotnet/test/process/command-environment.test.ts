import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandEnvironment, readOnlyEnvironment } from '../../src/process/command-environment.js';

describe('the environment of a command', () => {
  it('is the inherited one, made readable', () => {
    expect(
      commandEnvironment({ HOME: '/h', GONE: undefined, DOTNET_CLI_UI_LANGUAGE: 'de', MSBUILDTERMINALLOGGER: 'on' }),
    ).toEqual({
      HOME: '/h',
      DOTNET_CLI_UI_LANGUAGE: 'en',
      VSLANG: '1033',
      DOTNET_NOLOGO: '1',
      NO_COLOR: '1',
      MSBUILDTERMINALLOGGER: 'off',
      DOTNET_SKIP_FIRST_TIME_EXPERIENCE: '1',
      DOTNET_CLI_TELEMETRY_OPTOUT: '1',
    });
  });

  it("leaves the user what is the user's to say", () => {
    const own = { DOTNET_CLI_TELEMETRY_OPTOUT: '0', DOTNET_SKIP_FIRST_TIME_EXPERIENCE: '0' };
    expect(commandEnvironment(own)).toMatchObject(own);
  });
});

/** As `docs/spec/dotnet-evaluation.md#evaluation-environment` lists them. */
const ALWAYS = {
  DOTNET_CLI_USE_MSBUILD_SERVER: '0',
  MSBUILDENABLEALLPROPERTYFUNCTIONS: '0',
  MSBUILDLOGIMPORTS: '1',
  MSBUILD_LOGGING_ARGS: '',
};

describe('what an evaluation of an action that only looks gets besides the environment of every command', () => {
  it('is exactly this', () => {
    expect(readOnlyEnvironment({})).toEqual({
      ...ALWAYS,
      DOTNET_TieredPGO: '0',
      NUGET_PACKAGES: join(homedir(), '.nuget', 'packages'),
    });
  });

  it.each(Object.keys(ALWAYS))('sets %s whatever the user has', (name) => {
    expect(readOnlyEnvironment({ [name]: 'own' })[name]).toBe(ALWAYS[name as keyof typeof ALWAYS]);
  });

  it.each([
    ['NUGET_PACKAGES', '/own/packages'],
    ['DOTNET_TieredPGO', '1'],
  ])("leaves the user's %s", (name, value) => {
    expect(readOnlyEnvironment({ [name]: value })[name]).toBe(value);
  });

  it.each([
    ...['DB_PASSWORD', 'GITHUB_TOKEN', 'NUGET_API_KEY', 'AWS_SECRET_ACCESS_KEY', 'AZURE_CLIENT_SECRET', 'SSHPASS'],
    ...['ConnectionStrings__Shop', 'Jwt__SigningKey', 'VSS_NUGET_EXTERNAL_FEED_ENDPOINTS_TOKEN', 'SYSTEM_ACCESSTOKEN'],
    ...['NuGetPackageSourceCredentials_feed', 'VSS_NUGET_EXTERNAL_FEED_ENDPOINTS', 'DOTNET_PAT', 'SENTRY_DSN'],
  ])('empties %s, whose name says that it holds a secret', (name) => {
    expect(readOnlyEnvironment({ [name]: 'a value' })[name]).toBe('');
  });

  it.each(['CI', 'PATH', 'HOME', 'Configuration', 'BUILD_NUMBER', 'MSBuildSDKsPath', 'SSH_AUTH_SOCK', 'KEYBOARD'])(
    'leaves %s, which projects read',
    (name) => {
      expect(readOnlyEnvironment({ [name]: 'a value' })).not.toHaveProperty(name);
    },
  );
});
