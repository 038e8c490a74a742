import { dirname } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { filesBelow, readableText } from '../project-files/readable-files.js';
import { call } from './next-call.js';

/** What the host prints if global.json allows none of the installed SDKs (exit code 155). */
interface SdkRequest {
  readonly globalJsonPath?: string;
  readonly requested?: string;
  /** The newest one last. */
  readonly installed: readonly string[];
}

/** Reads what `dotnet` prints when no SDK fits: it lists the installed SDKs on stdout, and writes everything else to stderr. */
function sdkRequest(text: string): SdkRequest {
  const globalJsonPath = /^global\.json file: (\S.*)$/m.exec(text)?.[1]?.trim();
  const requested = /^Requested SDK version: (\S+)/m.exec(text)?.[1];
  return {
    ...(globalJsonPath !== undefined && globalJsonPath !== 'Not found' && { globalJsonPath }),
    ...(requested !== undefined && { requested }),
    installed: [...text.matchAll(/^(\d+\.\d+\.\d[\w.-]*) \[/gm)].map(([, version]) => version!),
  };
}

/** The failure of the host in one sentence; undefined if it does not name an SDK. */
export function missingSdkMessage(text: string): string | undefined {
  const { globalJsonPath = 'global.json', requested, installed } = sdkRequest(text);
  if (requested === undefined) return undefined;
  const found = installed.length === 0 ? 'no SDK is installed' : `installed: ${installed.join(', ')}`;
  return `${globalJsonPath} asks for the .NET SDK ${requested}, and no installed SDK satisfies it (${found})`;
}

/** Lowers the pin of global.json to an SDK that is installed, and names a project that this SDK cannot build. */
export function adviseOnGlobalJson(text: string): RecommendedAction {
  const { globalJsonPath, requested, installed } = sdkRequest(text);
  const sdkVersion = installed.at(-1);
  const newer = newerProject(globalJsonPath, requested, sdkVersion);
  const description =
    newer === undefined
      ? 'Let global.json name an SDK that is installed.'
      : `Install the .NET SDK ${requested}: ${newer}, which SDK ${sdkVersion} cannot build. Or let global.json name ${sdkVersion}, and target an older framework.`;
  return call(description, 'dotnet_sdk', {
    action: 'ConfigureGlobalJson',
    ...(sdkVersion === undefined ? { rollForward: 'latestMajor' } : { sdkVersion }),
    ...(globalJsonPath !== undefined && { globalJsonPath }),
  });
}

const FRAMEWORKS = /<TargetFrameworks?(?:\s[^>]{0,500})?>([^<]{1,1000})</gi;
const DECLARING = /(?:\.[a-z]*proj|^Directory\.Build\.(?:props|targets))$/i;

/** `/src/a.csproj targets net11.0`, if the requested SDK is of a later .NET than the installed one. */
function newerProject(
  globalJsonPath: string | undefined,
  requested: string | undefined,
  installed: string | undefined,
): string | undefined {
  const newest = majorOf(installed);
  if (globalJsonPath === undefined || newest === undefined || (majorOf(requested) ?? 0) <= newest) return undefined;
  for (const file of filesBelow(dirname(globalJsonPath), (name) => DECLARING.test(name))) {
    const frameworks = [...readableText(file).matchAll(FRAMEWORKS)].flatMap(([, list]) => list!.split(';'));
    const newer = frameworks
      .map((one) => one.trim())
      .find((one) => (majorOf(/^net(\d+\.\d.*)/.exec(one)?.[1]) ?? 0) > newest);
    if (newer !== undefined) return `${file} targets ${newer}`;
  }
  return undefined;
}

const majorOf = (version: string | undefined): number | undefined =>
  version === undefined ? undefined : Number.parseInt(version, 10);
