// Citations of the specification in code, tests, scripts and docs lead to an anchor that exists: docs/spec/<file>.md#<anchor>.
// Fenced blocks of Markdown are not read.
// Exits with 1 and names each that does not.
// `node scripts/check-citations.mjs [folder]`: another folder, for its test.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linesOutsideFences } from './markdown-lines.mjs';

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));

const SPEC = 'docs/spec/';
const TEXT = /\.(?:ts|mts|cts|js|mjs|cjs|cs|csproj|props|targets|md|json|ya?ml|html)$/;
/** What the rules of this page are about, and a file that no one writes by hand. */
const EXCEPT = /^(?:scripts\/check-citations\.mjs|test\/check-citations\.test\.ts|(?:.*\/)?package-lock\.json)$/;

const CITATION = /(?:\.\.\/)*docs\/spec\/([\w-]+\.md)(?:#([\w-]*))?/g;
const LINK = /\]\(([^()\s:]+?\.md)?(?:#([^()\s]*))?\)/g;

/** Forms of the time when the specification was not in the repository, or had other names. */
const FORMER_FORMS = [/\b[\w-]+\.md,? (?:§|#\d)/, /\bissue \d+,? §/, /\bthe seed\b|\bseeds\//i];

/** In Markdown these are links. */
const FORMER_FORMS_OF_CODE = [
  /(?<![\w/.-])(?:contract|plugins|dotnet-tools|dotnet-runtime|errors|protocol|changes)\.md\b/,
  /(?<![\w/-])(?:\.\.\/)?spec\/[\w-]+\.md/,
];

const files = listFiles();
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const anchors = new Map();
const problems = [];

for (const file of files.filter((name) => name.startsWith(SPEC))) reportDuplicates(file);
for (const [file, text] of texts) {
  if (file.endsWith('.md')) {
    for (const { line, lineNumber } of linesOutsideFences(text)) {
      checkLinks(file, line, `${file}:${lineNumber}`);
      checkFormerForms(line, FORMER_FORMS, `${file}:${lineNumber}`);
    }
  } else {
    for (const [index, line] of text.split('\n').entries()) {
      checkCitations(line, `${file}:${index + 1}`);
      checkFormerForms(line, [...FORMER_FORMS, ...FORMER_FORMS_OF_CODE], `${file}:${index + 1}`);
    }
  }
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Files of the repository that are text, tracked or not yet. */
function listFiles() {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const { stdout, status } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`git ls-files failed in ${root}`);
  const names = [...new Set(stdout.split('\0'))];
  return names.filter((name) => TEXT.test(name) && !EXCEPT.test(name) && existsSync(join(root, name)));
}

/** A citation in code: with an anchor, which exists. */
function checkCitations(line, location) {
  for (const [citation, page, anchor] of line.matchAll(CITATION)) {
    if (anchor === undefined) problems.push(`${location}: ${citation} has no anchor`);
    else checkAnchor(SPEC + page, anchor, citation, location);
  }
}

/** Links in Markdown, and citations in its code: the page exists, and the anchor if it names one. */
function checkLinks(file, line, location) {
  for (const [, page, anchor] of withoutCode(line).matchAll(LINK)) {
    if (page === undefined && anchor === undefined) continue;
    const target = page === undefined ? file : normalize(join(dirname(file), page)).replaceAll('\\', '/');
    checkAnchor(target, anchor, `${page ?? ''}${anchor === undefined ? '' : `#${anchor}`}`, location);
  }
  for (const [code] of line.matchAll(/`[^`]*`/g)) {
    for (const [citation, page, anchor] of code.matchAll(CITATION))
      if (anchor !== undefined) checkAnchor(SPEC + page, anchor, citation, location);
  }
}

function checkAnchor(page, anchor, citation, location) {
  const anchors = anchorsOf(page);
  if (!anchors) problems.push(`${location}: ${citation} leads to a page that does not exist`);
  else if (anchor !== undefined && !anchors.has(anchor)) problems.push(`${location}: ${citation} leads to no anchor`);
}

function checkFormerForms(line, forms, location) {
  const match = forms.map((form) => form.exec(line)).find((found) => found !== null);
  if (match) problems.push(`${location}: '${match[0]}' is not the form docs/spec/<file>.md#<anchor>`);
}

/** The anchors of a page: `<a id>` and headings, as GitHub makes them; undefined for a page that does not exist. */
function anchorsOf(page) {
  if (!anchors.has(page)) {
    const text = texts.get(page) ?? (existsSync(join(root, page)) ? readFileSync(join(root, page), 'utf8') : undefined);
    anchors.set(page, text === undefined ? undefined : new Set([...idsOf(text), ...headingsOf(text)]));
  }
  return anchors.get(page);
}

function idsOf(text) {
  return [...text.matchAll(/<a id="([^"]+)"/g)].map(([, id]) => id);
}

function headingsOf(text) {
  const seen = new Map();
  return [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, title]) => {
    const words = title.replace(/<[^>]*>/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    const slug = words
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

function reportDuplicates(file) {
  const ids = idsOf(texts.get(file));
  for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index))) {
    problems.push(`${file}: the anchor ${id} is there twice`);
  }
}

function withoutCode(line) {
  return line.replace(/`[^`]*`/g, '');
}
