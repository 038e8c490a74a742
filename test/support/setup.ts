// Run by vitest before each file.
import { afterAll } from 'vitest';
import { endFile } from './after-file.js';

/**
 * Programs of .NET that tests run end before it pays off to compile their code a second time, or to collect garbage: a sixth of
 * their processor time. The SDK gets these with the rest of the machine's environment (`sdkEnvironment`).
 */
const SHORT_PROGRAMS = {
  DOTNET_TieredPGO: '0',
  DOTNET_TC_CallCountingDelayMs: '10000000',
  DOTNET_gcConcurrent: '0',
  DOTNET_GCgen0size: '4000000',
};
for (const [name, value] of Object.entries(SHORT_PROGRAMS)) process.env[name] ??= value;

afterAll(endFile);
