import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';

/** Whether the .NET SDK is on PATH. */
export const hasSdk = spawnSync('dotnet', ['--version'], { timeout: 30_000 }).status === 0;

/** A `describe` whose tests need the real SDK; reported as skipped, with the reason, where there is none. */
export function describeWithSdk(title: string, body: () => void): void {
  describe.skipIf(!hasSdk)(hasSdk ? title : `${title} (skipped: no dotnet on PATH)`, body);
}
