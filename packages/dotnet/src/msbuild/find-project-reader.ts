import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** From this file, and from the one module that the package is bundled to. */
const PLACES = ['../../project-reader/', '../project-reader/'];

/** The MSBuild file that reads many projects, where `npm run build` or the package has put it. */
export function findProjectReader(): string | undefined {
  const folders = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const folder = folders.find((each) => existsSync(`${each}Mortise.ProjectReader.dll`));
  return folder && `${folder}read.targets`;
}
