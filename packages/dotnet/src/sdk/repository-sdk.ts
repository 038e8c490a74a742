import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { FileError } from '../project-files/file-error.js';
import { findSdkPaths } from '../project-files/global-json.js';

/** The entry of `sdk.paths` that stands for the folder of the `dotnet` program. */
const HOST = '$host$';

/**
 * Refuses to start `dotnet` in a folder whose global.json selects an SDK by `sdk.paths`, because the repository would then
 * choose the program that runs (docs/spec/dotnet-evaluation.md#repository-sdk).
 * @param trustedFolders `Dotnet.TrustedFolders`: an SDK in one of them is used
 * @throws FileError that names the global.json and the folder
 */
export function assertNoRepositorySdk(folder: string, trustedFolders: readonly string[]): void {
  // The program looks from the folder that a link leads to.
  const { path, folders } = findSdkPaths(realPath(folder) ?? folder) ?? { path: '', folders: [] };
  const trusted = trustedFolders.flatMap((one) => realPath(one) ?? []);
  for (const declared of folders) {
    if (declared === HOST) continue;
    const found = realPath(resolve(path, '..', declared));
    if (found === undefined || trusted.some((one) => isInside(one, found))) continue;
    throw new FileError(
      'invalid value',
      `${path} selects the .NET SDK in ${found} (sdk.paths), and an action that only reads runs no program of a repository`,
      `Look at that folder. If you trust it, add it to the setting Dotnet.TrustedFolders; else remove it from sdk.paths. Actions such as Build use it without this setting.`,
    );
  }
}

/** With links resolved; undefined if there is nothing. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
