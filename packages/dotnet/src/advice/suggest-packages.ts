import { join } from 'node:path';
import { editDistance, homeFolder, suggestNames } from '@mortise/plugin/runtime';
import { filesBelow, namesIn, readableText } from '../project-files/readable-files.js';

const REFERENCING = /(?:\.[a-z]*proj|^Directory\.(?:Build|Packages)\.(?:props|targets))$/i;
const PACKAGE =
  /<(?:PackageReference|PackageVersion|GlobalPackageReference)\b[^>]*?\b(?:Include|Update)\s*=\s*["']([^"']+)["']/gi;

/**
 * Returns package ids that are similar to an id, from the projects below a folder and from the local cache.
 * @param missing ids that no source has; they are not suggested
 */
export function suggestPackages(id: string, folder: string, missing: readonly string[] = []): string[] {
  const referenced = filesBelow(folder, (name) => REFERENCING.test(name)).flatMap((file) =>
    [...readableText(file).matchAll(PACKAGE)].map(([, id]) => id!.trim()),
  );
  const referencedIds = new Set(referenced.map((id) => id.toLowerCase()));
  const cached = cachedPackages().filter((id) => !referencedIds.has(id));
  const absent = new Set(missing.map((id) => id.toLowerCase()));
  const others = [...referenced, ...cached].filter((other) => !absent.has(other.toLowerCase()));
  const suggestions = suggestNames(
    id,
    others.filter((other) => isMisspelling(id, other)),
  );
  return suggestions.map((similar) => (referencedIds.has(similar.toLowerCase()) ? similar : originalSpelling(similar)));
}

/** False if the ids have a part that is another word, such as `Contoso.Git` and `Contoso.DotNet`, or are equal. */
function isMisspelling(id: string, other: string): boolean {
  const [parts, otherParts] = [id, other].map((text) => text.toLowerCase().split('.'));
  if (parts!.join('.') === otherParts!.join('.')) return false;
  if (parts!.length !== otherParts!.length) return true;
  return parts!.every((part, index) => editDistance(part, otherParts![index]!) <= Math.max(1, part.length / 3));
}

const cacheFolder = () => process.env.NUGET_PACKAGES || join(homeFolder(), '.nuget', 'packages');

/** Returns the ids of the packages in NuGet's cache on this machine, in lower case. */
export const cachedPackages = (): string[] => namesIn(cacheFolder());

/** Reads the spelling of an id from the package itself, because the cache has it in lower case. */
function originalSpelling(id: string): string {
  const folder = join(cacheFolder(), id);
  const version = namesIn(folder).at(-1);
  const nuspec = version === undefined ? '' : readableText(join(folder, version, `${id}.nuspec`));
  return /<id>\s*([\w.-]{1,100})\s*<\/id>/i.exec(nuspec)?.[1] ?? id;
}
