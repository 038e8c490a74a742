import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Candidate } from '../../core/plugin-candidate.js';
import { dependencyManifests } from '../../plugins/find/resolve-package.js';
import { fingerprint } from '../../plugins/load/fingerprint.js';
import type { Issue } from '../shared/issue.js';
import type { PackCode } from '../shared/pack-codes.js';
import { undeclaredPackages } from '../shared/undeclared-imports.js';
import { assemblyFiles } from './assembly-files.js';
import { entriesOf, finding, type PackageUnderCheck, someOf } from './package-under-check.js';

/** Files that should not be published, by patterns of their paths. Each row gives at most one finding. */
const UNWANTED: readonly (readonly [Issue['severity'], PackCode, RegExp, message: string, hint: string])[] = [
  [
    'error',
    'FILE_SECRET',
    /(?:^|\/)(?:\.env(?:\.(?!example$|sample$|template$)[^/]*)?|\.npmrc|\.netrc|id_(?:rsa|dsa|ecdsa|ed25519)|[^/]*\.(?:pem|key|p12|pfx|keystore|jks))$/i,
    'Files that usually hold secrets are published',
    'Leave them out of "files"; if they were ever published or committed, replace the secrets.',
  ],
  [
    'error',
    'NATIVE_MODULE',
    // Native files in the folder `runtimes` of .NET are allowed, because it has one for each platform.
    /^(?!(?:.*\/)?runtimes\/[^/]+\/native\/).*(?:\.node|\.(?:so|dylib)(?:\.[\d.]+)?|(?:^|\/)binding\.gyp)$/i,
    'Native code is published, which runs on one platform only',
    'Use a package without native code, or what Node.js has (for example node:sqlite).',
  ],
  [
    'warning',
    'FILE_UNWANTED',
    /(?:^|\/)(?:tests?|__tests__|coverage|\.github|\.vscode|\.idea)\/|\.(?:test|spec)\.[mc]?[jt]sx?$|\.tgz$|\.tsbuildinfo$|(?:^|\/)(?:\.DS_Store|Thumbs\.db)$/i,
    'Tests or files that only the author needs are published',
    'Name in "files" what is needed, and exclude the rest, for example "files": ["dist", "!**/*.test.*"].',
  ],
];

const README = /^readme(?:\.[^/]*)?$/i;
const LICENSE = /^(?:licen[cs]e|copying)(?:[.-][^/]*)?$/i;

/** Finds files that are missing among the published ones, and files that should not be published. */
export function checkFiles(published: PackageUnderCheck): Issue[] {
  return [...unwantedFiles(published), ...documentProblems(published), ...declarationProblems(published)];
}

function unwantedFiles({ folder, files }: PackageUnderCheck): Issue[] {
  return UNWANTED.flatMap(([severity, code, pattern, message, hint]) => {
    const unwanted = files.filter((file) => pattern.test(file));
    return unwanted.length === 0
      ? []
      : [finding(severity, code, { folder, file: unwanted[0]! }, `${message}: ${someOf(unwanted)}`, hint)];
  });
}

function documentProblems({ folder, json, files }: PackageUnderCheck): Issue[] {
  const has = (pattern: RegExp) => files.some((file) => pattern.test(file));
  const license = String(json.license ?? '').trim();
  const licenseFile = /^SEE LICEN[CS]E IN (.+)$/i.exec(license)?.[1];
  // If package.json has no license, only that is reported, because its hint also asks for the file.
  const isLicensed =
    licenseFile === undefined ? has(LICENSE) || ['', 'UNLICENSED'].includes(license) : files.includes(licenseFile);
  const at = (file: string) => ({ folder, file });
  const readme = 'Add README.md: what the plugin does, its settings, and the entry of Plugins.Packages.';
  return [
    ...(has(README) ? [] : [finding('error', 'README_MISSING', at('README.md'), 'The package has no README', readme)]),
    ...(isLicensed
      ? []
      : [
          finding(
            'error',
            'LICENSE_MISSING',
            at(licenseFile ?? 'LICENSE'),
            `The package has no ${licenseFile ?? 'LICENSE'} file`,
            `Add the text of ${licenseFile === undefined ? license : 'the license'} to the folder as the file ${licenseFile ?? 'LICENSE'}.`,
          ),
        ]),
  ];
}

function declarationProblems({ folder, json, files }: PackageUnderCheck): Issue[] {
  const declarations = [json.types, json.typings, ...typesOf(json.exports)].filter((path) => typeof path === 'string');
  const issues = [...new Set(declarations.map((path) => path.replace(/^\.\//, '')))]
    .filter((path) => !path.includes('*') && !files.includes(path))
    .map((path) => {
      const exists = existsSync(join(folder, path));
      const message = `The declarations ${path}, which package.json names, ${exists ? 'are not published' : 'do not exist'}`;
      const hint = exists ? 'Add them to "files".' : 'Build them (tsc with "declaration": true), or correct "types".';
      return finding('error', 'TYPES_MISSING', { folder, file: 'package.json' }, message, hint);
    });
  const isTyped = existsSync(join(folder, 'tsconfig.json'));
  if (declarations.length > 0 || !isTyped || files.some((file) => /\.[mc]?ts$/.test(file))) return issues;
  const hint = 'Build declarations and name them in "types", for programs that import the plugin, such as tests.';
  const message = 'The package is written in TypeScript, and publishes no declarations';
  return [finding('warning', 'TYPES_MISSING', { folder, file: 'package.json' }, message, hint)];
}

/** Returns the files that the conditions `types` of `exports` name. */
function typesOf(target: unknown): string[] {
  return entriesOf(target).flatMap(([key, value]) =>
    key === 'types' && typeof value === 'string' ? [value] : typesOf(value),
  );
}

/** Checks what the plugin's code needs: finds unpublished files, undeclared packages, and native code. */
export function checkCode({ folder, json, files }: PackageUnderCheck, { kind, entry }: Candidate): Issue[] {
  if (entry === undefined) return [];
  const root = realpathSync(folder);
  if (kind === 'dotnet') {
    const neededFiles = assemblyFiles(root, realpathSync(entry));
    return notPublished(
      folder,
      neededFiles.filter((file) => !files.includes(file)),
    );
  }
  if (kind !== 'module') return [];
  const code = [...new Set(fingerprint({ entry, root: folder }).code!.map((file) => realpathSync(file)))];
  const stems = new Set(files.map(withoutExtension));
  const missing = code
    .map((file) => relative(root, file).split(sep).join('/'))
    .filter((file) => !files.includes(file) && !stems.has(withoutExtension(file)));
  return [...notPublished(folder, missing), ...undeclared({ folder, json }, entry), ...nativeDependencies(folder)];
}

function notPublished(folder: string, missing: readonly string[]): Issue[] {
  const [file] = missing;
  if (file === undefined) return [];
  const hint = 'Add them to "files"; code outside of the package folder has to be copied or built into it.';
  const message = `Files that the plugin needs are not published: ${someOf(missing)}`;
  return [finding('error', 'FILE_NOT_PUBLISHED', { folder, file }, message, hint)];
}

const withoutExtension = (file: string) => file.replace(/\.[mc]?[jt]s$/, '');

function undeclared({ folder, json }: Pick<PackageUnderCheck, 'folder' | 'json'>, entry: string): Issue[] {
  return undeclaredPackages(entry, json).map(({ name, file, line, writesSchemasOf: library }) => {
    const hint = `If the plugin ${library === undefined ? 'imports' : 'needs'} it when it runs: npm install --save ${name}`;
    const use = library === undefined ? 'is imported' : `is needed for schemas of ${library}`;
    const message = `${name} ${use}, and is not among the dependencies of package.json`;
    const where = { folder, file: relative(realpathSync(folder), realpathSync(file)), line };
    return finding('warning', 'PACKAGE_DEPENDENCY', where, message, hint);
  });
}

function nativeDependencies(folder: string): Issue[] {
  return dependencyManifests(folder)
    .map((manifest) => dirname(manifest))
    .filter((path) => existsSync(join(path, 'binding.gyp')))
    .map((path) => {
      const hint = 'Prefer a package without native code: others need a build for their platform and Node.js.';
      const message = `The dependency in ${path} has native code`;
      return finding('warning', 'NATIVE_MODULE', { folder, file: 'package.json' }, message, hint);
    });
}
