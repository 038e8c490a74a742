import { PLUGIN_API, peerRange, pluginApiVersion } from '../../plugins/find/peer-range.js';
import { rangePosition, versionNumbers } from '../../util/version-range.js';
import type { Issue } from '../shared/issue.js';
import { entriesOf, finding, type PackageUnderCheck } from './package-under-check.js';

type Manifest = Pick<PackageUnderCheck, 'folder' | 'json'>;

/** Matches the names that npm accepts for new packages. Old packages can have upper-case letters. */
const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const MAX_NAME_CHARS = 214;
/** The keyword by which plugins are found on npm. */
export const KEYWORD = 'mortise-plugin';
/** The scripts that run on the machine on which the package is installed. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];
/** Matches dependencies that can be resolved only on the author's machine. */
const LOCAL = /^(?:file|link|portal|workspace):|^\.{0,2}\//;

const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined);

/** True if `npm pack` accepts the name and version. */
export function isPackable({ json: { name, version } }: Pick<Manifest, 'json'>): boolean {
  return isName(name) && versionNumbers(text(version) ?? '') !== undefined;
}

const isName = (name: unknown) => NAME.test(text(name) ?? '') && String(name).length <= MAX_NAME_CHARS;

/** The requirements and recommendations for package.json. Each check returns an issue if its rule is violated. */
const CHECKS: readonly ((manifest: Manifest) => Issue | undefined)[] = [
  (manifest) =>
    isName(manifest.json.name)
      ? undefined
      : inManifest('error', 'PACKAGE_NAME', manifest, {
          message: `name is ${JSON.stringify(manifest.json.name) ?? 'missing'}, which npm does not publish`,
          hint: 'Write a name in lower-case letters, digits, - _ . and ~, for example "mortise-notes" or "@scope/notes".',
        }),
  (manifest) =>
    versionNumbers(text(manifest.json.version) ?? '')
      ? undefined
      : inManifest('error', 'PACKAGE_VERSION', manifest, {
          message: `version is ${JSON.stringify(manifest.json.version) ?? 'missing'}`,
          hint: 'Write "version": "1.0.0"; `npm version patch` raises it.',
        }),
  (manifest) =>
    manifest.json.private === true
      ? inManifest('error', 'PACKAGE_PRIVATE', manifest, {
          message: 'private is true, so npm publish refuses the package',
          hint: 'Remove "private".',
        })
      : undefined,
  (manifest) =>
    text(manifest.json.license)
      ? undefined
      : inManifest('error', 'PACKAGE_LICENSE', manifest, {
          message: 'license is missing, so no one may use the package',
          hint: 'Run `npm pkg set license=MIT`, or set another SPDX name, and add its text as the file LICENSE. With "UNLICENSED", which grants no rights, no file is needed.',
        }),
  (manifest) =>
    Array.isArray(manifest.json.keywords) && manifest.json.keywords.includes(KEYWORD)
      ? undefined
      : inManifest('warning', 'PACKAGE_KEYWORDS', manifest, {
          message: `keywords does not have "${KEYWORD}"`,
          hint: `Add it, so that the plugin is found on npm: "keywords": ["${KEYWORD}", "mcp"]`,
        }),
  (manifest) =>
    Array.isArray(manifest.json.files)
      ? undefined
      : inManifest('warning', 'PACKAGE_FILES', manifest, {
          message: 'files is missing: everything in the folder is published that no ignore file names',
          hint: 'List what is published, for example "files": ["dist"]; package.json, README and LICENSE always are.',
        }),
  checkPeer,
];

/** Returns the issues of package.json, without looking at other files. */
export function checkManifest(manifest: Manifest): Issue[] {
  return [
    ...CHECKS.flatMap((check) => check(manifest) ?? []),
    ...localDependencies(manifest),
    ...installScripts(manifest),
  ];
}

function checkPeer(manifest: Manifest): Issue | undefined {
  const range = peerRange(manifest.json);
  const version = pluginApiVersion();
  const correction = `Write "peerDependencies": { "${PLUGIN_API}": "^${version}" }`;
  if (range === undefined) {
    const isDependency = entriesOf(manifest.json.dependencies).some(([name]) => name === PLUGIN_API);
    return inManifest('error', 'PACKAGE_PEER', manifest, {
      message: `peerDependencies["${PLUGIN_API}"] is missing: it says which versions of Mortise the plugin is made for`,
      hint: `${correction}${isDependency ? ', and remove it from dependencies: the server has its own copy' : ''}.`,
    });
  }
  const position = rangePosition(versionNumbers(version)!, range);
  if (position === undefined) {
    return inManifest('error', 'PACKAGE_PEER', manifest, {
      message: `peerDependencies["${PLUGIN_API}"] is "${range}", which is not a range of versions`,
      hint: `${correction}.`,
    });
  }
  if (!/^[*xX\s]*$/.test(range)) return undefined;
  return inManifest('warning', 'PACKAGE_PEER', manifest, {
    message: `peerDependencies["${PLUGIN_API}"] is "${range}", so that no server can say that it does not fit`,
    hint: `${correction}.`,
  });
}

function localDependencies(manifest: Manifest): Issue[] {
  const { dependencies, optionalDependencies, peerDependencies } = manifest.json;
  return [dependencies, optionalDependencies, peerDependencies]
    .flatMap(entriesOf)
    .filter(([name, range]) => name !== PLUGIN_API && LOCAL.test(String(range)))
    .map(([name, range]) =>
      inManifest('error', 'PACKAGE_DEPENDENCY', manifest, {
        message: `The dependency ${name} is "${range}", which others cannot install`,
        hint: `Publish ${name} and write its version, or copy its code into the package.`,
      }),
    );
}

function installScripts(manifest: Manifest): Issue[] {
  const names = entriesOf(manifest.json.scripts).map(([name]) => name);
  return INSTALL_SCRIPTS.filter((name) => names.includes(name)).map((name) =>
    inManifest('warning', 'PACKAGE_SCRIPT', manifest, {
      message: `The script "${name}" runs on the machine of everyone who installs the package; many switch such scripts off`,
      hint: 'Do that work in "prepack", before the package is made.',
    }),
  );
}

function inManifest(
  severity: Issue['severity'],
  code: Parameters<typeof finding>[1],
  { folder }: Manifest,
  { message, hint }: { message: string; hint: string },
): Issue {
  return finding(severity, code, { folder, file: 'package.json' }, message, hint);
}
