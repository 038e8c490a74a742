// Names of our own source files in comments and in ARCHITECTURE.md and CONTRIBUTING.md are names of files that exist. In a comment a name
// without a folder is one of the same package; in a page, of any. In the table of changes of ARCHITECTURE.md a path is complete, from
// the root or from the server's src/. Exits with 1 and names each that does not exist.
// `node scripts/check-file-names.mjs [folder]`: another folder, for its test.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));

const SOURCE = /^(?:packages\/[^/]+\/src|scripts|bench|test\/support)\/.*\.(?:ts|tsx|mjs)$/;
const PAGE = /^(?:ARCHITECTURE|CONTRIBUTING)\.md$/;
/** The section with that table. */
const CHANGES = '## To change X, open Y';
const SERVER = 'packages/server/src/';
const PATH = /`([\w@.-]+(?:\/[\w@.-]+)*(?:\.(?:tsx?|mjs|json|md|cs)|\/))(?:#[\w-]+)?`/g;
const NAME = /(?<![\w.*<>/-])((?:[\w-]+\/)*[a-z][\w-]*\.(?:tsx?|mjs))(?![\w/])/g;

const { stdout, status } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
if (status !== 0) throw new Error(`git ls-files failed in ${root}`);
const files = stdout.split('\0').filter((name) => name !== '' && existsSync(join(root, name)));

const packageOf = (file) => /^packages\/[^/]+\//.exec(file)?.[0] ?? '';
const exists = (name, folder) => files.some((file) => file.startsWith(folder) && `/${file}`.endsWith(`/${name}`));

const isPath = (path) => files.some((file) => (path.endsWith('/') ? file.startsWith(path) : file === path));

let failed = false;
for (const file of files.filter((name) => SOURCE.test(name) || PAGE.test(name))) {
  const isPage = PAGE.test(file);
  let section = '';
  for (const [index, line] of readFileSync(join(root, file), 'utf8').split('\n').entries()) {
    const text = isPage ? line : commentOf(line);
    for (const [, name] of text.matchAll(NAME)) {
      const folder = isPage || name.includes('/') ? '' : packageOf(file);
      if (exists(name, folder)) continue;
      console.error(`${file}:${index + 1}: there is no file ${name}${folder && ` in ${folder}`}`);
      failed = true;
    }
    if (line.startsWith('## ')) section = line;
    if (!isPage || section !== CHANGES) continue;
    for (const [, path] of line.matchAll(PATH)) {
      if (isPath(path) || isPath(SERVER + path)) continue;
      console.error(`${file}:${index + 1}: there is no ${path} at the root or in ${SERVER}`);
      failed = true;
    }
  }
}
process.exitCode = failed ? 1 : 0;

/** What of a line is a comment; '' for code. */
function commentOf(line) {
  const match = /^\s*(?:\/\*\*?|\*|\/\/)(.*)$|\s\/\/ (.*)$/.exec(line);
  return match?.[1] ?? match?.[2] ?? '';
}
