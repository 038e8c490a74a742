import { describe, expect, it } from 'vitest';
import { hasSdk } from '../../../dotnet/test/sdk.js';
import { findPluginHost } from '../../src/run/dotnet/find-plugin-host.js';
import { ECHO } from './plugins.js';
import { createTrustedWorkplace, runMortise } from './run-mortise.js';

describe('what doctor says of C# plugins', () => {
  it.skipIf(!hasSdk || findPluginHost() === undefined)('names what runs them', async () => {
    const workplace = createTrustedWorkplace({ 'plugins/echo.mjs': ECHO }, {});
    const { stdout } = await runMortise(workplace, ['doctor']);
    expect(stdout).toMatch(/✓ C# plugins: .*dotnet\S* runs .*plugin-host/);
  });
});
