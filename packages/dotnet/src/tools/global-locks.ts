import { join } from 'node:path';
import { homeFolder } from '@mortise/plugin/runtime';
import type { LockTarget } from '../locks/lock.js';

const { DOTNET_CLI_HOME, NUGET_PACKAGES } = process.env;
const home = DOTNET_CLI_HOME || homeFolder();

const machineWide = (path: string): LockTarget => ({ scope: 'global', path });

/**
 * The lock targets of operations on the user's machine. Each is identified by a folder
 * (docs/spec/contract.md#lock-scope).
 */
export const GLOBAL_LOCKS = {
  templates: machineWide(join(home, '.templateengine')),
  certificates: machineWide(join(home, '.dotnet', 'corefx', 'cryptography')),
  tools: machineWide(join(home, '.dotnet', 'tools')),
  workloads: machineWide(join(home, '.dotnet', 'workloads')),
  packageSources: machineWide(join(home, '.nuget', 'NuGet')),
  packageCaches: machineWide(NUGET_PACKAGES || join(home, '.nuget', 'packages')),
} as const;
