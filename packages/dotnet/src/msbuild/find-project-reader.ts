import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** From this file, and from the one module that the package is bundled to. */
const FOLDERS = ['../../project-reader/', '../project-reader/'];

/** The MSBuild file that reads many projects, where `npm run build` or the package has put it. */
export function findProjectReader(): string | undefined {
  const folders = FOLDERS.map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const folder = folders.find((item) => existsSync(`${item}Mortise.ProjectReader.dll`));
  return folder && `${folder}read.targets`;
}
