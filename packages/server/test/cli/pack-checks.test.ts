import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createRedactor } from '@mortise/redact';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../../test/support/workplace.js';
import { checkCode, checkFiles } from '../../src/cli/pack/check-files.js';
import { checkManifest, isPackable } from '../../src/cli/pack/check-manifest.js';
import { findSecrets, secretLines } from '../../src/cli/pack/find-secrets.js';
import type { Issue } from '../../src/cli/shared/issue.js';
import { pluginApiVersion } from '../../src/plugins/find/peer-range.js';
import { makeTree } from '../make-tree.js';

const GOOD = {
  name: '@acme/notes',
  version: '1.2.0',
  license: 'MIT',
  keywords: ['mortise-plugin'],
  files: ['dist'],
  types: './dist/index.d.ts',
  peerDependencies: { '@mortise/plugin': `^${pluginApiVersion()}` },
};
const GOOD_FILES = ['LICENSE', 'README.md', 'dist/index.d.ts', 'dist/index.js', 'package.json'];

const brief = (issues: readonly Issue[]) => issues.map(({ severity, code }) => `${severity} ${code}`);

describe('package.json', () => {
  it('that has everything is without findings', () => {
    expect(checkManifest({ folder: '/x', json: GOOD })).toEqual([]);
    expect(isPackable({ json: GOOD })).toBe(true);
  });

  it.each([
    [{ name: undefined }, 'error PACKAGE_NAME'],
    [{ name: 'Notes' }, 'error PACKAGE_NAME'],
    [{ name: 'n'.repeat(215) }, 'error PACKAGE_NAME'],
    [{ version: undefined }, 'error PACKAGE_VERSION'],
    [{ version: '1.2' }, 'error PACKAGE_VERSION'],
    [{ private: true }, 'error PACKAGE_PRIVATE'],
    [{ license: '' }, 'error PACKAGE_LICENSE'],
    [{ keywords: 'mortise-plugin' }, 'warning PACKAGE_KEYWORDS'],
    [{ files: undefined }, 'warning PACKAGE_FILES'],
    [{ peerDependencies: undefined }, 'error PACKAGE_PEER'],
    [{ peerDependencies: { '@mortise/plugin': 'workspace:^' } }, 'error PACKAGE_PEER'],
    [{ peerDependencies: { '@mortise/plugin': '*' } }, 'warning PACKAGE_PEER'],
    [{ dependencies: { words: 'file:../words' } }, 'error PACKAGE_DEPENDENCY'],
    [{ optionalDependencies: { words: 'workspace:*' } }, 'error PACKAGE_DEPENDENCY'],
    [{ scripts: { postinstall: 'node setup.js', prepack: 'tsc' } }, 'warning PACKAGE_SCRIPT'],
  ])('with %j is: %s', (change, expected) => {
    const issues = checkManifest({ folder: '/x', json: { ...GOOD, ...change } });
    expect(brief(issues)).toEqual([expected]);
    expect(issues[0]).toMatchObject({ file: join('/x', 'package.json'), hint: expect.stringMatching(/\S/) });
  });

  it('of docs/publishing-plugins.md is without findings', () => {
    const page = readFileSync(join(ROOT, 'docs/publishing-plugins.md'), 'utf8');
    const [, json] = /```json\n(\{\n.*?)```/s.exec(page)!;
    expect(checkManifest({ folder: '/x', json: JSON.parse(json!) })).toEqual([]);
  });

  it('that has the plugin API among its dependencies is told to move it', () => {
    const json = { ...GOOD, peerDependencies: {}, dependencies: { '@mortise/plugin': '^0.1.0' } };
    expect(checkManifest({ folder: '/x', json })[0]?.hint).toContain('remove it from dependencies');
  });
});

describe('the published files', () => {
  const check = (files: readonly string[], json: object = {}) =>
    checkFiles({ folder: '/x', json: { ...GOOD, ...json }, files });

  it('that are enough are without findings', () => {
    expect(check(GOOD_FILES)).toEqual([]);
    expect(check([...GOOD_FILES, '.env.example', 'dist/latest.js', 'dist/keys.js', 'dist/contest/a.js'])).toEqual([]);
  });

  it.each([
    [['.env'], 'error FILE_SECRET'],
    [['dist/.env.production'], 'error FILE_SECRET'],
    [['certs/server.pem', 'id_rsa'], 'error FILE_SECRET'],
    [['build/notes.node'], 'error NATIVE_MODULE'],
    [['binding.gyp'], 'error NATIVE_MODULE'],
    [['lib/libnotes.so.1.2'], 'error NATIVE_MODULE'],
    [['linux-x64/native/libnotes.so'], 'error NATIVE_MODULE'],
    [['dist/index.test.js', 'test/x.json'], 'warning FILE_UNWANTED'],
    [['acme-notes-1.1.0.tgz'], 'warning FILE_UNWANTED'],
  ])('%j beside them are: %s', (more, expected) => {
    const issues = check([...GOOD_FILES, ...more]);
    expect(brief(issues)).toEqual([expected]);
    expect(issues[0]).toMatchObject({ file: join('/x', more[0]!), message: expect.stringContaining(more.join(', ')) });
  });

  it.each([
    ['README.md', {}, ['error README_MISSING']],
    ['LICENSE', {}, ['error LICENSE_MISSING']],
    ['LICENSE', { license: 'UNLICENSED' }, []],
    // That there is no license is a finding of package.json.
    ['LICENSE', { license: undefined }, []],
    ['LICENSE', { license: 'SEE LICENSE IN TERMS.md' }, ['error LICENSE_MISSING']],
    ['dist/index.d.ts', {}, ['error TYPES_MISSING']],
    [
      'dist/index.d.ts',
      { types: undefined, exports: { '.': { types: './dist/index.d.ts' } } },
      ['error TYPES_MISSING'],
    ],
    ['dist/index.d.ts', { types: undefined }, []],
  ])('without %s and with %j are: %j', (file, json, expected) => {
    expect(
      brief(
        check(
          GOOD_FILES.filter((one) => one !== file),
          json,
        ),
      ),
    ).toEqual(expected);
  });
});

it('a package in TypeScript without declarations is a warning', () => {
  const folder = makeTree({ 'tsconfig.json': '{}' });
  const files = GOOD_FILES.filter((file) => file !== 'dist/index.d.ts');
  const json = { ...GOOD, types: undefined };
  expect(brief(checkFiles({ folder, json, files }))).toEqual(['warning TYPES_MISSING']);
  expect(checkFiles({ folder, json, files: [...files, 'dist/index.ts'] })).toEqual([]);
});

describe('what the code imports', () => {
  const MANIFEST = { ...GOOD, dependencies: { known: '1' } };
  const check = (files: Record<string, string>, published: readonly string[]) => {
    const folder = makeTree({ 'package.json': JSON.stringify(MANIFEST), ...files });
    const candidate = {
      kind: 'module' as const,
      name: 'x',
      path: folder,
      directory: folder,
      entry: join(folder, 'dist/index.js'),
      problems: [],
    };
    return { folder, issues: () => checkCode({ folder, json: MANIFEST, files: published }, candidate) };
  };

  it('is published and declared', () => {
    const { issues } = check(
      {
        'dist/index.js': `import fs from 'node:fs'; import { ok } from '@mortise/plugin/testing'; import 'known/sub';
          import './helper.js'; const path = require('path');`,
        'dist/helper.js': '',
        // The source beside what was built of it.
        'dist/helper.ts': '',
      },
      ['package.json', 'dist/index.js', 'dist/helper.js'],
    );
    expect(issues()).toEqual([]);
  });

  it('is an error where a file is not published, a warning where a package is not declared', () => {
    const { folder, issues } = check(
      { 'dist/index.js': "import '../lib/helper.js'; await import('@other/dev/x');", 'lib/helper.js': '' },
      ['package.json', 'dist/index.js'],
    );
    expect(issues()).toMatchObject([
      { severity: 'error', code: 'FILE_NOT_PUBLISHED', file: join(folder, 'lib/helper.js') },
      { severity: 'warning', code: 'PACKAGE_DEPENDENCY', message: expect.stringContaining('@other/dev is imported') },
    ]);
  });

  it('is a warning where the package that writes the schemas of a library is not declared', () => {
    const module = (name: string, version: string) => ({
      [`node_modules/${name}/package.json`]: JSON.stringify({ name, version }),
    });
    const { issues } = check(
      {
        'dist/index.js': "import 'valibot';",
        ...module('valibot', '1.5.0'),
        ...module('@valibot/to-json-schema', '1.8.0'),
      },
      ['package.json', 'dist/index.js'],
    );
    expect(issues()).toMatchObject([
      { message: expect.stringContaining('valibot is imported') },
      {
        code: 'PACKAGE_DEPENDENCY',
        message: expect.stringContaining('@valibot/to-json-schema is needed for schemas of valibot'),
      },
    ]);
  });

  it('of an assembly is the assembly and what says where its packages are', () => {
    const folder = makeTree({ 'Notes.dll': '', 'Notes.deps.json': '{}' });
    const location = { name: 'x', path: folder, directory: folder, entry: join(folder, 'Notes.dll') };
    const candidate = { kind: 'dotnet' as const, ...location, problems: [] };
    const issues = (files: string[]) => checkCode({ folder, json: MANIFEST, files }, candidate);
    expect(issues(['Notes.dll', 'Notes.deps.json'])).toEqual([]);
    expect(issues(['package.json'])).toMatchObject([
      { code: 'FILE_NOT_PUBLISHED', message: expect.stringContaining('Notes.dll, Notes.deps.json') },
    ]);
  });

  it('of an assembly is what its packages have too, for each platform and language', () => {
    const library = {
      runtime: { 'lib/net8.0/Sqlite.dll': {} },
      resources: { 'lib/net8.0/de/Sqlite.resources.dll': { locale: 'de' } },
      runtimeTargets: { 'runtimes/linux-x64/native/libsqlite.so': {}, 'runtimes/osx/native/absent.dylib': {} },
    };
    const needed = ['Notes.dll', 'Notes.deps.json', 'Sqlite.dll', 'de/Sqlite.resources.dll'];
    const native = 'runtimes/linux-x64/native/libsqlite.so';
    const deps = JSON.stringify({ targets: { net: { 'Sqlite/1.0.0': library } } });
    const tree = Object.fromEntries([...needed, native].map((file) => [file, '']));
    const folder = makeTree({ ...tree, 'Notes.deps.json': deps });
    const location = { name: 'x', path: folder, directory: folder, entry: join(folder, 'Notes.dll') };
    const candidate = { kind: 'dotnet' as const, ...location, problems: [] };
    const published = (files: string[]) => ({ folder, json: MANIFEST, files });
    expect(checkCode(published([...needed, native]), candidate)).toEqual([]);
    expect(checkCode(published(needed), candidate)).toMatchObject([
      { code: 'FILE_NOT_PUBLISHED', message: expect.stringContaining(native) },
    ]);
    const codes = checkFiles(published([...needed, native])).map(({ code }) => code);
    expect(codes).not.toContain('NATIVE_MODULE');
  });

  it('is a warning where a package that it depends on has native code', () => {
    const { folder, issues } = check(
      { 'dist/index.js': '', 'store/known/package.json': '{}', 'store/known/binding.gyp': '' },
      ['package.json', 'dist/index.js'],
    );
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(folder, 'store/known'), join(folder, 'node_modules/known'), 'junction');
    expect(brief(issues())).toEqual(['warning NATIVE_MODULE']);
  });
});

describe('secrets in files', () => {
  const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);
  const redactor = createRedactor({ secrets: ['configured-value'] });
  const KEY = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(6)}-----END PRIVATE KEY-----\n`;

  it.each([
    [`a();\nuse('${TOKEN}');`, 2, true],
    ["say('configured-value');", 1, true],
    [`\n\n${KEY}`, 3, true],
    ['const password = "Summer2024!";', 1, false],
    ['{"apiKey": "a1b2c3d4e5f6"}', 1, false],
    ['DB_PASSWORD=Summer2024', 1, false],
  ])('%j has one in line %d', (text, line, isCertain) => {
    expect(secretLines(text, redactor)[0]).toEqual({ line, isCertain });
  });

  it.each([
    'for (let token = scanner.scan(); token !== END; token = scanner.scan()) {}',
    "text({ minLength: 16, secret: 'always' })",
    "new PluginContext({config: {api_key: 'k'}})",
    'const apiKey = process.env.NOTES_API_KEY2;',
    "const token = context.getConfig('token2024');",
    'const token = /^Bearer +(\\S+) *$/i.exec(header)?.[1];',
    "type RequestCredentials = 'omit' | 'include' | 'same-origin'",
    'const password: string = options.password2;',
    'import {\n  importPKCS8,\n  importX509\n} from "jose";',
    '  issueCredential: openid4vciIssueCredential,',
    'this.#secret = Uint8Array.prototype.slice.call(secret);',
    'Authorization: Bearer abcdefgh1',
  ])('%j has none', (text) => {
    expect(secretLines(text, redactor)).toEqual([]);
  });

  it.each([
    ['https://hooks.slack.com/services/T0/B0/a1B2c3D4e5F6g7H8', 1],
    ['db:\n  password: Summer2024', 2],
    ['Authorization: Bearer abcdefgh1', 1],
    ['| Password | Summer2024 |', 1],
    ['<password>Summer2024</password>', 1],
    ['machine h\n  login bob\n  password Summer2024', 3],
    ['connecting (password=Summer2024)', 1],
    ["export API_KEY='correct 9horse battery7'", 1],
  ])('%j, which is no code, has one in line %d', (text, line) => {
    expect(secretLines(text, redactor, false).map((found) => found.line)).toEqual([line]);
  });

  it('are errors with their lines and without their text; examples in a README are warnings', () => {
    const files = {
      'index.js': `\nconst t = '${TOKEN}';\n`,
      'README.md': 'password: "Summer2024!"\n',
      'logo.png': '\0\xff',
    };
    const folder = makeTree(files);
    const issues = findSecrets({ folder, json: {}, files: Object.keys(files) }, []);
    expect(issues).toMatchObject([
      { severity: 'error', code: 'FILE_SECRET', file: join(folder, 'index.js'), line: 2 },
      { severity: 'warning', code: 'FILE_SECRET', file: join(folder, 'README.md'), line: 1 },
    ]);
    expect(JSON.stringify(issues)).not.toMatch(/ghp_|Summer/);
  });

  it('are not looked for in a file of more than 5 MiB, which is said', () => {
    const folder = makeTree({ 'big.js': ' '.repeat(5 * 1024 * 1024 + 1) });
    expect(brief(findSecrets({ folder, json: {}, files: ['big.js'] }, []))).toEqual(['warning FILE_NOT_SEARCHED']);
  });
});
