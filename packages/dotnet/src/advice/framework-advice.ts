import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { readRegularText } from '@mortise/plugin/runtime';
import { declaredProperty } from '../project-files/edit-project.js';
import { isProjectPath } from '../project-files/find-project.js';
import type { FailureEvidence } from './codes/root-cause-kind.js';
import { again, call } from './next-call.js';

/** A project of several frameworks has to be published or run for one of them. */
export function adviseOnFramework({ message }: FailureEvidence): RecommendedAction | undefined {
  const listed = /one of the following[^:]*: ([^\n]+)/.exec(message)?.[1] ?? '';
  const frameworks = listed.match(/\bnet[\w.-]*\w/gi) ?? [];
  const framework = frameworks.at(-1);
  if (framework === undefined) return undefined;
  return again(`Name one of the frameworks: ${frameworks.join(', ')}.`, { framework });
}

/** The packages were not restored for a framework that the call names: a restore helps only if the project targets it. */
export function adviseOnUntargetedFramework({ message, project, run }: FailureEvidence): RecommendedAction | undefined {
  const wanted = /have a target for '([^'/\n]{1,100})'/.exec(message)?.[1];
  if (wanted === undefined || project === undefined || !run?.args.includes(wanted)) return undefined;
  const frameworks = targetFrameworks(project);
  const framework = frameworks.at(-1);
  if (framework === undefined || frameworks.includes(wanted)) return undefined;
  return again(`${basename(project)} does not target ${wanted}; it targets ${frameworks.join(', ')}.`, { framework });
}

/** The frameworks that a project file names itself; none where it names them by properties, or not at all. */
function targetFrameworks(project: string): string[] {
  if (!isProjectPath(project) || !existsSync(project)) return [];
  const text = readRegularText(project);
  const listed = declaredProperty(text, 'TargetFrameworks') ?? declaredProperty(text, 'TargetFramework') ?? '';
  return /\$\(/.test(listed) ? [] : listed.split(';').flatMap((framework) => framework.trim() || []);
}

/** The SDK is older than a framework of the project: the newest one that it can target, in the property that names it. */
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

/** Gives a framework this version if its own is newer, and keeps its platform. */
function loweredTo(version: string, framework: string): string {
  const [, frameworkVersion, platform = ''] = /^net(\d{1,2}\.\d{1,2})(-.*)?$/.exec(framework) ?? [];
  return frameworkVersion !== undefined && Number.parseFloat(frameworkVersion) > Number.parseFloat(version)
    ? `net${version}${platform}`
    : framework;
}
