import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';

/** Whether the .NET SDK is on PATH. */
export const hasSdk = spawnSync('dotnet', ['--version'], { timeout: 30_000 }).status === 0;

/** A `describe` whose tests need the real SDK; reported as skipped, with the reason, where there is none. */
export function describeWithSdk(title: string, body: () => void): void {
  describe.skipIf(!hasSdk)(hasSdk ? title : `${title} (skipped: no dotnet on PATH)`, body);
}

/**
 * Properties of every project that does not set them itself: a sixth of a build goes into analyzers and the download of known
 * vulnerabilities, a tenth into a look for a Git repository, and a sixth of an evaluation into the manifests of workloads. Only those
 * projects need these that are about them.
 */
export const PROPERTIES = {
  RunAnalyzers: 'false',
  NuGetAudit: 'false',
  SuppressImplicitGitSourceLink: 'true',
  MSBuildEnableWorkloadResolver: 'false',
};
