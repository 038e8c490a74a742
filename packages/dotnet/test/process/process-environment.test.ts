import { describe, expect, it } from 'vitest';
import { commandEnvironment } from '../../src/process/process-environment.js';

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
