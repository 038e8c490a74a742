// Names of our own source files in comments and in ARCHITECTURE.md and CONTRIBUTING.md are names of files that exist. In a comment a name
// without a folder is one of the same package; in a page, of any. In the table of changes of ARCHITECTURE.md a path is complete, from
// the root or from the server's src/, and the file has the words that the table says are in it. Exits with 1 and names each that does
// not exist.
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
/** `WORD` in `path`, and `path` (`WORD`, `WORD`). */
const WORDS_IN = /`(\w+)` in `([\w@./-]+\.\w+)`|`([\w@./-]+\.\w+)` \(((?:`\w+`(?:, )?)+)/g;
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

for (const file of files.filter((name) => SOURCE.test(name) || PAGE.test(name))) {
  const isPage = PAGE.test(file);
  let section = '';
  for (const [index, line] of readFileSync(join(root, file), 'utf8').split('\n').entries()) {
    if (line.startsWith('## ')) section = line;
    const problems = [
      ...(isPage ? unknownNames(line, '') : unknownNames(commentOf(line), packageOf(file))),
      ...(isPage && section === CHANGES ? [...unknownPaths(line), ...unknownWords(line)] : []),
    ];
    for (const problem of problems) {
      console.error(`${file}:${index + 1}: there is no ${problem}`);
      process.exitCode = 1;
    }
  }
}

/** @param ownFolder in which a name without a folder is */
function unknownNames(text, ownFolder) {
  return [...text.matchAll(NAME)].flatMap(([, name]) => {
    const folder = name.includes('/') ? '' : ownFolder;
    return exists(name, folder) ? [] : [`file ${name}${folder && ` in ${folder}`}`];
  });
}

function unknownPaths(line) {
  return [...line.matchAll(PATH)].flatMap(([, path]) =>
    isPath(path) || isPath(SERVER + path) ? [] : [`${path} at the root or in ${SERVER}`],
  );
}

function unknownWords(line) {
  return [...line.matchAll(WORDS_IN)].flatMap(([, word, path, pathBefore = path, words = word]) => {
    const file = [pathBefore, SERVER + pathBefore].find((name) => files.includes(name));
    const text = file === undefined ? '' : readFileSync(join(root, file), 'utf8');
    return words.match(/\w+/g).flatMap((name) => (text.includes(name) ? [] : [`${name} in ${pathBefore}`]));
  });
}

/** What of a line is a comment; '' for code. */
function commentOf(line) {
  const match = /^\s*(?:\/\*\*?|\*|\/\/)(.*)$|\s\/\/ (.*)$/.exec(line);
  return match?.[1] ?? match?.[2] ?? '';
}
