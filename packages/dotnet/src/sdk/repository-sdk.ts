import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { FileError } from '../project-files/file-error.js';
import { findSdkPaths } from '../project-files/global-json.js';

/** The entry of `sdk.paths` that stands for the folder of the `dotnet` program. */
const HOST = '$host$';

/**
 * Refuses to start `dotnet` in a folder whose global.json selects an SDK by `sdk.paths`, because the repository would
 * then choose the program that runs (docs/spec/dotnet-evaluation.md#repository-sdk).
 * @param trustedFolders the folders in `Dotnet.TrustedFolders`, whose SDKs are allowed
 * @throws FileError that names the global.json and the folder
 */
export function assertNoRepositorySdk(folder: string, trustedFolders: readonly string[]): void {
  // `dotnet` resolves the links in the folder before it searches for global.json.
  const { path, folders } = findSdkPaths(realPath(folder) ?? folder) ?? { path: '', folders: [] };
  const realTrustedFolders = trustedFolders.flatMap((trusted) => realPath(trusted) ?? []);
  for (const declared of folders) {
    if (declared === HOST) continue;
    const sdkFolder = realPath(resolve(path, '..', declared));
    if (sdkFolder === undefined || realTrustedFolders.some((trusted) => isInside(trusted, sdkFolder))) continue;
    throw new FileError(
      'invalid value',
      `${path} selects the .NET SDK in ${sdkFolder} (sdk.paths), and an action that only reads runs no program of a repository`,
      `Look at that folder. If you trust it, add it to the setting Dotnet.TrustedFolders; else remove it from sdk.paths. Actions such as Build use it without this setting.`,
    );
  }
}

/** True if the folder is one of the trusted folders or in one of them; links are resolved. */
export function isInTrustedFolder(trustedFolders: readonly string[], folder: string): boolean {
  const real = realPath(folder);
  return real !== undefined && trustedFolders.some((trusted) => isInside(realPath(trusted) ?? trusted, real));
}

/** Resolves the links in a path; undefined if it does not exist. */
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
