import { FileError } from './file-error.js';

const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

const words = (text: string) => new Set(text.trim().split(/\s+/));

/** Element names of the MSBuild language (MSB4004, MSB4117, MSB4066). Their case matters, as in MSBuild. */
const ELEMENTS = words(`
  Choose ImportGroup ItemGroup OnError Otherwise Output ProjectExtensions PropertyGroup Target UsingTask
  VisualStudioProject When`);

/** Properties that only MSBuild can set (else MSB4004), in lower case. */
const RESERVED_PROPERTIES = words(`
  msbuildassemblyversion msbuildbinpath msbuilddisablefeaturesfromversion msbuildinteractive msbuildlasttaskresult
  msbuildnodecount msbuildprogramfiles32 msbuildprojectdefaulttargets msbuildprojectdirectory
  msbuildprojectdirectorynoroot msbuildprojectextension msbuildprojectfile msbuildprojectfullpath msbuildprojectname
  msbuildruntimetype msbuildstartupdirectory msbuildthisfile msbuildthisfiledirectory msbuildthisfiledirectorynoroot
  msbuildthisfileextension msbuildthisfilefullpath msbuildthisfilename msbuildtoolspath msbuildtoolsversion
  msbuildversion`);

/** Metadata that every item has and no project can set (else MSB4066), in lower case. */
const WELL_KNOWN_METADATA: ReadonlySet<string> = words(`
  accessedtime createdtime definingprojectdirectory definingprojectextension definingprojectfullpath
  definingprojectname directory extension filename fullpath identity modifiedtime recursivedir relativedir rootdir`);

/** Attributes of an item that are not metadata, in lower case. */
const ITEM_ATTRIBUTES = words(`
  condition exclude include keepduplicates keepmetadata label matchonmetadata matchonmetadataoptions remove
  removemetadata update`);

type NameKind = 'property' | 'item type' | 'metadata';

const RESERVED: Readonly<Record<NameKind, ReadonlySet<string>>> = {
  property: RESERVED_PROPERTIES,
  'item type': new Set(),
  metadata: new Set([...WELL_KNOWN_METADATA, ...ITEM_ATTRIBUTES]),
};

/** True if the text has the form of a name of a property, an item type or metadata. It can be reserved. */
export function isMSBuildName(name: string): boolean {
  return NAME.test(name);
}

const PARAMETERS: Readonly<Record<NameKind, string>> = {
  property: 'propertyName',
  'item type': 'itemType',
  metadata: 'metadata',
};

/** @throws FileError `invalid value` if a project cannot define that name */
export function assertMSBuildName(kind: NameKind, name: string): void {
  const at = { parameter: PARAMETERS[kind] };
  if (!NAME.test(name)) {
    throw new FileError(
      'invalid value',
      `'${name}' is not a valid MSBuild ${kind} name`,
      'A name begins with a letter or an underscore, followed by letters, digits, underscores and hyphens.',
      at,
    );
  }
  if (ELEMENTS.has(name) || RESERVED[kind].has(name.toLowerCase())) {
    throw new FileError(
      'invalid value',
      `'${name}' is reserved by MSBuild and cannot be set as ${kind}`,
      'Choose another name.',
      at,
    );
  }
}

/** Returns the entries of an MSBuild list without surrounding white space. */
export function splitList(list: string): string[] {
  return list
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Escapes the special characters of MSBuild in a value as `%xx`. */
export function escapeMSBuild(value: string): string {
  return value.replace(/[%*?@$();',"]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Compares names of properties, item types, metadata or packages, whose case does not matter. */
export function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Removes names that differ from an earlier one at most in case. */
export function uniqueNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => !seen.has(name.toLowerCase()) && seen.add(name.toLowerCase()));
}
