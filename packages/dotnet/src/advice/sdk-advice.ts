import type { RecommendedAction } from '@mortise/plugin';
import { declaredProperty } from '../project-files/edit-project.js';
import { isProjectPath } from '../project-files/find-project.js';
import { readableText } from '../project-files/readable-files.js';
import { findCode } from './codes/code-catalog.js';
import type { FailureEvidence } from './codes/root-cause-kind.js';
import { call, manual } from './next-call.js';

/** A property to set or, without a value, to remove. A removal applies only if the project file itself sets it. */
type PropertyChange = readonly [propertyName: string, propertyValue?: string];

/** Corrections, by code, for projects that use a feature which their framework, runtime or kind does not have. */
const PROPERTY_CHANGES: Readonly<Record<string, readonly PropertyChange[]>> = {
  NETSDK1032: [['PlatformTarget']],
  NETSDK1067: [['UseAppHost']],
  NETSDK1068: [['UseAppHost', 'false']],
  NETSDK1084: [['UseAppHost', 'false']],
  NETSDK1098: [['UseAppHost']],
  NETSDK1099: [['PublishSingleFile']],
  NETSDK1102: [['SelfContained', 'true']],
  NETSDK1135: [['SupportedOSPlatformVersion']],
  NETSDK1175: [['PublishTrimmed']],
  NETSDK1176: [['EnableCompressionInSingleFile']],
  NETSDK1198: [['PublishProfile']],
  NETSDK1207: [['PublishAot']],
  NETSDK1210: [['IsAotCompatible'], ['EnableAotAnalyzer']],
  NETSDK1212: [['IsTrimmable'], ['EnableTrimAnalyzer']],
};

/** Errors that another version of the SDK would not report. */
const SDK_VERSION_CODES = /^NETSDK1(?:045|141|057)$/;

/** For an error of the .NET SDK: recommends a change of the project, else the hint of its code. */
export function adviseOnSdkError(evidence: FailureEvidence): RecommendedAction {
  const { code, project } = evidence;
  if (SDK_VERSION_CODES.test(code)) return listSdks();
  const hint = findCode(code)?.hint ?? `Correct the problem that ${code} reports${project ? ` in ${project}` : ''}.`;
  if (project === undefined || !isProjectPath(project)) return manual(hint);
  return itemChange(evidence, project) ?? propertyChange(code, project) ?? manual(hint);
}

export function listSdks(): RecommendedAction {
  return call('See which SDKs are installed, then install the one that is needed.', 'dotnet_sdk', {
    action: 'ListSdks',
  });
}

function propertyChange(code: string, project: string): RecommendedAction | undefined {
  const text = readableText(project);
  for (const [propertyName, propertyValue] of PROPERTY_CHANGES[code] ?? []) {
    if (propertyValue !== undefined) {
      const args = { action: 'SetProperty', project, propertyName, propertyValue };
      return call(`Set ${propertyName} to ${propertyValue}.`, 'dotnet_project', args);
    }
    if (text !== '' && declaredProperty(text, propertyName) !== undefined) {
      const description = `Remove ${propertyName}, which this project cannot have.`;
      return call(description, 'dotnet_project', { action: 'RemoveProperty', project, propertyName });
    }
  }
  return undefined;
}

/** For packages and items that the project adds although the SDK adds them by itself. */
function itemChange({ code, message }: FailureEvidence, project: string): RecommendedAction | undefined {
  const packageId = /PackageReference (?:for '|to )([\w.]{1,100}?)'? (?:was|is)\b/.exec(message)?.[1];
  if (/^NETSDK10(?:23|80)$/.test(code) && packageId !== undefined) {
    return call(`Remove ${packageId}, which the SDK references by itself.`, 'dotnet_package', {
      action: 'Remove',
      project,
      packageId,
    });
  }
  const [, itemType] = /^Duplicate '(\w{1,60})' items/.exec(message) ?? [];
  const [, include] = /duplicate items were: '([^'\n]{1,300})'/.exec(message) ?? [];
  if (itemType === undefined || include === undefined) return undefined;
  return call(`Remove the item, because the SDK includes ${include} by itself.`, 'dotnet_project', {
    action: 'RemoveItem',
    project,
    itemType,
    include: include.split("'; '"),
  });
}
