import { existsSync } from 'node:fs';
import type { RecommendedAction } from '@mortise/plugin';
import { readRegularText } from '@mortise/plugin/runtime';
import { sharedFiles } from '../nuget/package-versions.js';
import type { FailureEvidence } from './codes/root-cause-kind.js';
import { call, manual } from './next-call.js';
import { nearestVersion } from './package-in-message.js';
import { placeOfPackage } from './package-place.js';

/** Packages that the SDK downloads by itself, in versions that follow its own. */
const SDK_PACKAGE =
  /^(?:Microsoft\.(?:NETCore|AspNetCore|WindowsDesktop)\.App\.|Microsoft\.NETCore\.Platforms$|Microsoft\.NET\.(?:ILLink\.|Sdk\.|Runtime\.)|runtime\.[\w.-]+\.Microsoft\.|Microsoft\.DotNet\.ILCompiler$)/i;

/** Whether a package belongs to the SDK: a runtime pack, a targeting pack, the trimmer or the native compiler. */
export const isSdkPackage = (packageId: string): boolean => SDK_PACKAGE.test(packageId);

const BASELINE = 'PackageValidationBaselineVersion';

/** A package that no item references: the SDK downloads it as a pack, or as the baseline of package validation. */
export function adviseOnDownload(
  { message, project, run }: FailureEvidence,
  packageId: string,
): RecommendedAction | undefined {
  if (project === undefined || placeOfPackage(project, packageId).isReferenced) return undefined;
  if (isSdkPackage(packageId)) {
    const runtime = run?.args[run.args.indexOf('-r') + 1];
    const without = run?.args.includes('-r') ? `, or leave out runtime ${runtime}` : '';
    return manual(
      `The SDK downloads ${packageId} as a pack; no project references it. Add the source that has it, which is nuget.org by default${without}.`,
    );
  }
  const version = nearestVersion(message);
  const isBaseline = message.includes(' (= ') && [project, ...sharedFiles(project)].some(namesBaseline);
  if (!isBaseline || version === undefined) return undefined;
  return call(
    `${packageId} is the baseline of package validation: name a version of it that exists.`,
    'dotnet_project',
    {
      action: 'SetProperty',
      project,
      propertyName: BASELINE,
      propertyValue: version,
    },
  );
}

const namesBaseline = (file: string): boolean => existsSync(file) && readRegularText(file).includes(`<${BASELINE}>`);
