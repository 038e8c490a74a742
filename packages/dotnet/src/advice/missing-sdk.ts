import { dirname } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { filesBelow, readableText } from '../project-files/readable-files.js';
import { call } from './next-call.js';

/** The facts that the `dotnet` host prints if global.json allows none of the installed SDKs (exit code 155). */
interface SdkRequest {
  readonly globalJsonPath?: string;
  readonly requested?: string;
  /** The installed versions, the newest last. */
  readonly installed: readonly string[];
}

/** Reads the output of the host. The list of installed SDKs is on stdout, everything else on stderr. */
function sdkRequest(text: string): SdkRequest {
  const globalJsonPath = /^global\.json file: (\S.*)$/m.exec(text)?.[1]?.trim();
  const requested = /^Requested SDK version: (\S+)/m.exec(text)?.[1];
  return {
    ...(globalJsonPath !== undefined && globalJsonPath !== 'Not found' && { globalJsonPath }),
    ...(requested !== undefined && { requested }),
    installed: [...text.matchAll(/^(\d+\.\d+\.\d[\w.-]*) \[/gm)].map(([, version]) => version!),
  };
}

/** Says in one sentence which SDK is missing; undefined if the output names none. */
export function missingSdkMessage(text: string): string | undefined {
  const { globalJsonPath = 'global.json', requested, installed } = sdkRequest(text);
  if (requested === undefined) return undefined;
  const found = installed.length === 0 ? 'no SDK is installed' : `installed: ${installed.join(', ')}`;
  return `${globalJsonPath} asks for the .NET SDK ${requested}, and no installed SDK satisfies it (${found})`;
}

/**
 * Recommends that global.json name an installed SDK. If that SDK cannot build one of the projects, the description
 * recommends installing the requested SDK first.
 */
export function adviseOnGlobalJson(text: string): RecommendedAction {
  const { globalJsonPath, requested, installed } = sdkRequest(text);
  const sdkVersion = installed.at(-1);
  const newerTarget = findNewerTarget(globalJsonPath, requested, sdkVersion);
  const description =
    newerTarget === undefined
      ? 'Let global.json name an SDK that is installed.'
      : `Install the .NET SDK ${requested}: ${newerTarget}, which SDK ${sdkVersion} cannot build. Or let global.json name ${sdkVersion}, and target an older framework.`;
  return call(description, 'dotnet_sdk', {
    action: 'ConfigureGlobalJson',
    ...(sdkVersion === undefined ? { rollForward: 'latestMajor' } : { sdkVersion }),
    ...(globalJsonPath !== undefined && { globalJsonPath }),
  });
}

const FRAMEWORKS = /<TargetFrameworks?(?:\s[^>]{0,500})?>([^<]{1,1000})</gi;
const DECLARING = /(?:\.[a-z]*proj|^Directory\.Build\.(?:props|targets))$/i;

/** Returns `/src/a.csproj targets net11.0` for the first file with a framework that the installed SDK cannot build. */
function findNewerTarget(
  globalJsonPath: string | undefined,
  requested: string | undefined,
  installed: string | undefined,
): string | undefined {
  const newest = majorOf(installed);
  if (globalJsonPath === undefined || newest === undefined || (majorOf(requested) ?? 0) <= newest) return undefined;
  for (const file of filesBelow(dirname(globalJsonPath), (name) => DECLARING.test(name))) {
    const frameworks = [...readableText(file).matchAll(FRAMEWORKS)].flatMap(([, list]) => list!.split(';'));
    const newer = frameworks
      .map((framework) => framework.trim())
      .find((framework) => (majorOf(/^net(\d+\.\d.*)/.exec(framework)?.[1]) ?? 0) > newest);
    if (newer !== undefined) return `${file} targets ${newer}`;
  }
  return undefined;
}

const majorOf = (version: string | undefined): number | undefined =>
  version === undefined ? undefined : Number.parseInt(version, 10);
