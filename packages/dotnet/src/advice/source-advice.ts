import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { readRegularText } from '@mortise/plugin/runtime';
import { foldersUpward } from '../project-files/find-project.js';
import { namesIn } from '../project-files/readable-files.js';
import type { FailureEvidence } from './codes/root-cause-kind.js';
import { call, manual } from './next-call.js';
import { packageInMessage } from './package-in-message.js';

interface ConfiguredSource {
  readonly name: string;
  readonly value: string;
  readonly configFile: string;
}

/** For a source whose folder does not exist. A restore would fail again. */
export function adviseOnLocalSource({ message, project, run }: FailureEvidence): RecommendedAction {
  const missing = /local source '([^'\n]{1,1000})' doesn't exist/.exec(message)?.[1];
  if (missing === undefined) return listSources('See the sources, one of which did not answer.');
  const folder = project === undefined ? run?.cwd : dirname(project);
  const source = folder === undefined ? undefined : configuredSource(missing, folder);
  const portable = missing.replaceAll('\\', '/');
  const path = source?.value.replaceAll('\\', '/');
  if (source && path !== source.value && existsSync(portable)) {
    return call(`This system separates folders by /: write the source ${source.name} as ${path}.`, 'dotnet_package', {
      action: 'UpdateSource',
      name: source.name,
      source: path,
      configFile: source.configFile,
    });
  }
  const named = source ? `The folder of the source ${source.name}, ${missing},` : `The folder ${missing} of a source`;
  return listSources(`${named} does not exist: create it, or correct its path (UpdateSource).`);
}

function listSources(description: string): RecommendedAction {
  return call(description, 'dotnet_package', { action: 'ListSources' });
}

const SOURCE = /<add\s[^>]*?\bkey\s*=\s*"([^"]{1,200})"[^>]*?\bvalue\s*=\s*"([^"]{1,1000})"/gi;

/** Finds the source with that path in the nuget.config files that apply to a folder. */
function configuredSource(path: string, folder: string): ConfiguredSource | undefined {
  for (const configFile of configFiles(folder)) {
    for (const [, name, value] of readRegularText(configFile).matchAll(SOURCE)) {
      if (resolve(dirname(configFile), value!) === resolve(path)) return { name: name!, value: value!, configFile };
    }
  }
  return undefined;
}

/** Returns the nuget.config files of a folder and the folders above it, the nearest first. */
function configFiles(folder: string): string[] {
  return foldersUpward(folder).flatMap((parent) =>
    namesIn(parent)
      .filter((name) => name.toLowerCase() === 'nuget.config')
      .map((name) => join(parent, name)),
  );
}

const NOT_CONSIDERED =
  /PackageSourceMapping is enabled, the following source\(s\) were not considered: ([^\n]{1,500}?)\.?$/m;

/** For a package that was not searched in some sources because of the package source mapping. */
export function adviseOnMapping({ message, project, run }: FailureEvidence): RecommendedAction | undefined {
  const sources = NOT_CONSIDERED.exec(message)?.[1];
  const packageId = packageInMessage(message);
  if (sources === undefined || packageId === undefined) return undefined;
  const folder = project === undefined ? run?.cwd : dirname(project);
  const file = folder === undefined ? undefined : configFiles(folder).find(hasMapping);
  const place = file ?? 'nuget.config';
  return manual(
    `The package source mapping of ${place} does not allow ${packageId} from ${sources}: add <package pattern="${packageId}" /> to the packageSource that has it.`,
  );
}

const hasMapping = (file: string): boolean => readRegularText(file).includes('<packageSourceMapping');
