// Phrases that are always wrong in comments, docs, messages and titles of tests. Exits with 1 and names each that is there,
// with what to write instead; EXCEPTIONS names what may stay, and why.
// `node scripts/check-phrases.mjs [folder]`: another folder, for its test.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));

/** What is wrong, and what to write. A space also matches the end of a line and the comment's marks on the next one. */
const PHRASES = [
  [
    /(?<!\bthere (?:will )?)\b(?:is|are|was|were|be|been) no (?!(?:longer|more|one|fewer|less|later|earlier|different)\b)[\w`'"$<]/,
    'is not a …',
  ],
  [/\banew\b/, 'again'],
  [/\bfor ever\b/, 'forever, without limit'],
  [/\blately\b/, 'recently'],
  [/(?<!\bone )\bpass(?:es|ed|ing)? over\b/, 'ignore, skip'],
  [
    /\bstands? (?:in|there|under|alone|beside|before|after|at|on|between|where|above|here|first|last|twice|once)\b/,
    'is in, appears in',
  ],
  [/\b(?:nobody|somebody|anybody)\b/, 'no one, someone; better: the caller, another process'],
  [/\b(?:go|goes|going|gone|went) on\b/, 'continue, in progress'],
  [/\b(?:roads?|paved|keepers?|parked|tally|lanes?)\b/, 'the standard term: ARCHITECTURE.md, Words'],
];

/** Part of a path, the phrase, and why it may stay. */
const EXCEPTIONS = [
  ['packages/server/src/mcp/', /lane/, 'names in mcp/, which a package of its own is to replace'],
  ['ARCHITECTURE.md', /lane/, 'the name of a file in mcp/'],
  ['test/conformance/schema/', /./, "MCP's own schemas, as they were published"],
  ['check-phrases.', /./, 'the table and its test'],
];

const TEXT = /\.(?:[cm]?[jt]s|cs|md|json|ya?ml)$/;
/** A file that no one writes by hand. */
const EXCEPT = /(?:^|\/)package-lock\.json$/;

/** The end of a line, with the marks of a comment on the next one. */
const LINE_END = '(?:[ \\t]*\\r?\\n[ \\t]*(?:///?|\\*(?!/)|#)?[ \\t]*| )';

/** The same, where a phrase is shown. */
const MARKS = /\s+(?:\/\/\/?|\*|#)?\s*/g;

const tables = PHRASES.map(([{ source }, instead]) => [new RegExp(source.replaceAll(' ', LINE_END), 'gi'), instead]);
const problems = listFiles().flatMap(check);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function check(file) {
  const text = readFileSync(join(root, file), 'utf8');
  return tables.flatMap(([pattern, instead]) =>
    Array.from(text.matchAll(pattern), ({ 0: phrase, index }) => ({ phrase: phrase.replace(MARKS, ' '), index }))
      .filter(({ phrase }) => !EXCEPTIONS.some(([part, except]) => file.includes(part) && except.test(phrase)))
      .map(({ phrase, index }) => `${file}:${lineOf(text, index)}: '${phrase}'; write: ${instead}`),
  );
}

function lineOf(text, index) {
  return text.slice(0, index).split('\n').length;
}

/** Files of the repository that are text, tracked or not yet. */
function listFiles() {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const { stdout, status } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`git ls-files failed in ${root}`);
  const names = [...new Set(stdout.split('\0'))];
  return names.filter((name) => TEXT.test(name) && !EXCEPT.test(name) && existsSync(join(root, name)));
}
