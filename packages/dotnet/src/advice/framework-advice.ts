import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { readRegularText } from '@mortise/plugin/runtime';
import { declaredProperty } from '../project-files/edit-project.js';
import { isProjectPath } from '../project-files/find-project.js';
import type { FailureEvidence } from './codes/root-cause-kind.js';
import { again, call } from './next-call.js';

export function adviseOnFramework({ message }: FailureEvidence): RecommendedAction | undefined {
  const listed = /one of the following[^:]*: ([^\n]+)/.exec(message)?.[1] ?? '';
  const frameworks = listed.match(/\bnet[\w.-]*\w/gi) ?? [];
  const framework = frameworks.at(-1);
  if (framework === undefined) return undefined;
  return again(`Name one of the frameworks: ${frameworks.join(', ')}.`, { framework });
}

/**
 * For packages that were not restored for the framework of the call. If the project does not target that framework, a
 * restore would not help, so another framework is recommended.
 */
export function adviseOnUntargetedFramework({ message, project, run }: FailureEvidence): RecommendedAction | undefined {
  const wanted = /have a target for '([^'/\n]{1,100})'/.exec(message)?.[1];
  if (wanted === undefined || project === undefined || !run?.args.includes(wanted)) return undefined;
  const frameworks = targetFrameworks(project);
  const framework = frameworks.at(-1);
  if (framework === undefined || frameworks.includes(wanted)) return undefined;
  return again(`${basename(project)} does not target ${wanted}; it targets ${frameworks.join(', ')}.`, { framework });
}

/** Returns the frameworks in a project file; none if they are elsewhere or given by properties. */
function targetFrameworks(project: string): string[] {
  if (!isProjectPath(project) || !existsSync(project)) return [];
  const text = readRegularText(project);
  const listed = declaredProperty(text, 'TargetFrameworks') ?? declaredProperty(text, 'TargetFramework') ?? '';
  return /\$\(/.test(listed) ? [] : listed.split(';').flatMap((framework) => framework.trim() || []);
}

/** For a project that targets a newer framework than the SDK can build: recommends the newest one that it can. */
export function adviseOnNewFramework({ message, project }: FailureEvidence): RecommendedAction | undefined {
  const newest = /target \.NET (\d{1,2}\.\d{1,2}) or lower/.exec(message)?.[1];
  if (newest === undefined || project === undefined || !isProjectPath(project) || !existsSync(project))
    return undefined;
  const text = readRegularText(project);
  for (const propertyName of ['TargetFramework', 'TargetFrameworks']) {
    const frameworks = declaredProperty(text, propertyName)?.split(';') ?? [];
    const targets = frameworks.map((framework) => loweredTo(newest, framework.trim()));
    if (targets.some((framework, index) => framework !== frameworks[index])) {
      const propertyValue = [...new Set(targets)].join(';');
      return call(`The newest framework that this SDK can target is net${newest}: set that.`, 'dotnet_project', {
        action: 'SetProperty',
        project,
        propertyName,
        propertyValue,
      });
    }
  }
  return undefined;
}

/** Lowers a framework such as `net11.0-windows` to the version if it is newer, and keeps its platform. */
function loweredTo(version: string, framework: string): string {
  const [, frameworkVersion, platform = ''] = /^net(\d{1,2}\.\d{1,2})(-.*)?$/.exec(framework) ?? [];
  return frameworkVersion !== undefined && Number.parseFloat(frameworkVersion) > Number.parseFloat(version)
    ? `net${version}${platform}`
    : framework;
}
