const ID = '([A-Za-z0-9_]\\w{0,99}(?:[.-]\\w{1,99}){0,20})';

/** How NuGet 7 names a package; the first form that fits decides. A word behind `package` alone is not a name. */
const FORMS: readonly RegExp[] = [
  `package downgrade: ${ID} from `,
  `[Uu]nable to find (?:a stable )?package ${ID}`,
  `for the package '${ID}'`,
  `[Pp]ackage '?${ID}'? '?\\d+\\.`,
  `'${ID} \\d[^'\\n]{0,60}' package`,
  `[Pp]ackage '${ID}'`,
  `^Version \\S{1,60} of package ${ID} is not found`,
  `item\\(s\\) do not have a version specified: ${ID}`,
  `content hash validation failed for ${ID}`,
  `Unable to resolve '${ID}`,
  `PackageReference ${ID} will `,
  `[Vv]ersion conflict detected for ${ID}`,
  ` requires ${ID} \\(`,
  ` depends on ${ID} \\(`,
  `for dependency ${ID} \\(`,
  `[Dd]ependency "?${ID} [[(]`,
  `(?:specified|Version|VersionOverride|item|version): ${ID}`,
].map((form) => new RegExp(form));

/** `Plain.1.0.0`: a package as a file is named. */
const VERSION_AFTER = /\.\d+(?:\.\d+)+(?:-[\w.]+)?$/;

/** The id of the package that a message of NuGet is about; undefined where it names none. */
export function packageInMessage(message: string): string | undefined {
  for (const form of FORMS) {
    const id = form.exec(message)?.[1];
    if (id !== undefined) return id.replace(VERSION_AFTER, '');
  }
  return undefined;
}

const NEAREST = /\[ Nearest version: (\d[\w.+-]{0,60}) \]/g;

/** The nearest version that NuGet names for one that does not exist; a prerelease only where one was asked for. */
export function nearestVersion(message: string): string | undefined {
  const takesPrerelease = /with version \([^)\n]*\d-/.test(message);
  return [...message.matchAll(NEAREST)]
    .map(([, version]) => version!)
    .find((version) => takesPrerelease || !version.includes('-'));
}

/** `Plain 2.0.0 was resolved instead`. */
export function resolvedInstead(message: string): string | undefined {
  return /\S (\d[\w.+-]{0,60}) was resolved instead/.exec(message)?.[1];
}

/** The version that the message of an error proposes for its package. */
export function proposedVersion(message: string): string | undefined {
  const downgraded = /downgrade: \S{1,100} from (\d[\w.+-]{0,60}) to /.exec(message)?.[1];
  const conflicting = /Install\/reference \S{1,100} (\d\S{0,60}) directly/.exec(message)?.[1];
  return nearestVersion(message) ?? resolvedInstead(message) ?? downgraded ?? conflicting;
}
