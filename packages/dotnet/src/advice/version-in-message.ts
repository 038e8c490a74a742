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
