/**
 * The codes of the issues that `mortise pack` finds in a package; the files in `cli/pack/` report them. Append-only.
 * After a change, run `npm run generate`, which lists the codes in docs/error-codes.md.
 */
export const PACK_CODES = {
  PACKAGE_NAME: 'The name is missing, or npm does not publish it.',
  PACKAGE_VERSION: 'The version is missing or is not `major.minor.patch`.',
  PACKAGE_PRIVATE: '`private` is true, so npm does not publish the package.',
  PACKAGE_LICENSE: '`license` is missing in package.json.',
  PACKAGE_KEYWORDS: '`keywords` does not have `mortise-plugin`, by which plugins are found.',
  PACKAGE_FILES: 'package.json has no `files` list: everything in the folder is published.',
  PACKAGE_PEER: '`peerDependencies["@mortise/plugin"]` is missing, or is not a range that npm knows.',
  PACKAGE_DEPENDENCY: 'A dependency cannot be installed by others, or is imported and not declared.',
  PACKAGE_SCRIPT: 'A script of package.json runs on the machine of everyone who installs the package.',
  TYPES_MISSING:
    'The declarations that `types` names do not exist or are not published; or a package in TypeScript has none.',
  README_MISSING: 'The package has no README.',
  LICENSE_MISSING: 'The package has no LICENSE file.',
  FILE_NOT_PUBLISHED: 'A file that the plugin needs is not among the published files.',
  FILE_UNWANTED: 'Tests, archives or files of an editor or machine are published.',
  FILE_SECRET: 'A published file holds a secret, or usually does by its name.',
  FILE_NOT_SEARCHED: 'A published file is too large to be searched for secrets.',
  NATIVE_MODULE: 'The package, or one that it depends on, has native code, which fits one platform only.',
  NO_TOOLS: 'The plugin loads, and provides nothing.',
  NPM_FAILED: '`npm pack` failed, or made another package than the one that was checked.',
} as const;

export type PackCode = keyof typeof PACK_CODES;
