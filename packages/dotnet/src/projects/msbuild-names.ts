import { FileError } from './file-error.js';

const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

const words = (text: string) => new Set(text.trim().split(/\s+/));

/** Element names of the MSBuild language: MSB4004, MSB4117, MSB4066. Compared with case, as MSBuild does. */
const ELEMENTS = words(`
  Choose ImportGroup ItemGroup OnError Otherwise Output ProjectExtensions PropertyGroup Target UsingTask
  VisualStudioProject When`);

/** Properties that MSBuild sets itself (MSB4004 where a project does); lower case. */
const RESERVED_PROPERTIES = words(`
  msbuildassemblyversion msbuildbinpath msbuilddisablefeaturesfromversion msbuildinteractive msbuildlasttaskresult
  msbuildnodecount msbuildprogramfiles32 msbuildprojectdefaulttargets msbuildprojectdirectory
  msbuildprojectdirectorynoroot msbuildprojectextension msbuildprojectfile msbuildprojectfullpath msbuildprojectname
  msbuildruntimetype msbuildstartupdirectory msbuildthisfile msbuildthisfiledirectory msbuildthisfiledirectorynoroot
  msbuildthisfileextension msbuildthisfilefullpath msbuildthisfilename msbuildtoolspath msbuildtoolsversion
  msbuildversion`);

/** Metadata that every item has of itself (MSB4066 where a project sets it), and item attributes; lower case. */
const RESERVED_METADATA = words(`
  accessedtime createdtime definingprojectdirectory definingprojectextension definingprojectfullpath
  definingprojectname directory extension filename fullpath identity modifiedtime recursivedir relativedir rootdir
  condition exclude include keepduplicates keepmetadata label matchonmetadata matchonmetadataoptions remove
  removemetadata update`);

type NameKind = 'property' | 'item type' | 'metadata';

const RESERVED: Readonly<Record<NameKind, ReadonlySet<string>>> = {
  property: RESERVED_PROPERTIES,
  'item type': new Set(),
  metadata: RESERVED_METADATA,
};

/** Whether the text can be the name of a property, item type or metadata at all. */
export function isMSBuildName(name: string): boolean {
  return NAME.test(name);
}

/** @throws FileError `invalid value` where a project cannot define that name. */
export function assertMSBuildName(kind: NameKind, name: string): void {
  if (!NAME.test(name)) {
    throw new FileError(
      'invalid value',
      `'${name}' is not a valid MSBuild ${kind} name`,
      'A name begins with a letter or an underscore, followed by letters, digits, underscores and hyphens.',
    );
  }
  if (ELEMENTS.has(name) || RESERVED[kind].has(name.toLowerCase())) {
    throw new FileError(
      'invalid value',
      `'${name}' is reserved by MSBuild and cannot be set as ${kind}`,
      'Choose another name.',
    );
  }
}
