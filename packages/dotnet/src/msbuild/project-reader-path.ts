import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** This file has its own folder in the sources, and none in the one module that the package is bundled to. */
const isBundled = basename(dirname(fileURLToPath(import.meta.url))) !== 'msbuild';

/** The MSBuild file that reads projects. The package has it, and `npm run build` makes it where there is a .NET SDK. */
export const PROJECT_READER = fileURLToPath(
  new URL(`${isBundled ? '..' : '../..'}/project-reader/read.targets`, import.meta.url),
);
