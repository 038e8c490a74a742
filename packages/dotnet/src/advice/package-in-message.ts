const ID = '([A-Za-z0-9_]\\w{0,99}(?:[.-]\\w{1,99}){0,20})';

/**
 * The forms in which messages of NuGet 7 name a package; the first that matches decides. A word after `package` is an
 * id only if it is quoted or a version follows.
 */
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

/** The version at the end of `Plain.1.0.0`, which is the name of a package's file. */
const VERSION_SUFFIX = /\.\d+(?:\.\d+)+(?:-[\w.]+)?$/;

/** Returns the id of the package that a message of NuGet names; undefined if it names none. */
export function packageInMessage(message: string): string | undefined {
  for (const form of FORMS) {
    const id = form.exec(message)?.[1];
    if (id !== undefined) return id.replace(VERSION_SUFFIX, '');
  }
  return undefined;
}

const NEAREST = /\[ Nearest version: (\d[\w.+-]{0,60}) \]/g;

/**
 * Returns the nearest existing version that the message names. Prereleases are skipped unless the requested version is
 * one.
 */
export function nearestVersion(message: string): string | undefined {
  const takesPrerelease = /with version \([^)\n]*\d-/.test(message);
  return [...message.matchAll(NEAREST)]
    .map(([, version]) => version!)
    .find((version) => takesPrerelease || !version.includes('-'));
}

/** Returns the version in `Plain 2.0.0 was resolved instead`. */
export function resolvedInstead(message: string): string | undefined {
  return /\S (\d[\w.+-]{0,60}) was resolved instead/.exec(message)?.[1];
}

/** Returns the version that the message proposes for its package; undefined if it proposes none. */
export function proposedVersion(message: string): string | undefined {
  const higher = /downgrade: \S{1,100} from (\d[\w.+-]{0,60}) to /.exec(message)?.[1];
  const direct = /Install\/reference \S{1,100} (\d\S{0,60}) directly/.exec(message)?.[1];
  return nearestVersion(message) ?? resolvedInstead(message) ?? higher ?? direct;
}
