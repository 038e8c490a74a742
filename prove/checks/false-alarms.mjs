import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRedactor, createUnsafeRedactor } from '../../packages/redact/dist/index.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Installed with the .NET SDK, or with Debian, and so not the same on every machine. */
const FOLDERS_OF_MACHINE = ['/usr/share/dotnet', '/usr/lib/python3', '/usr/share/perl', '/usr/share/doc'];
/** In the repository: its samples of secrets, and the page that quotes what this check has found. */
const SKIPPED = /(?:^|\/)(?:redact|secrets|security|prove|test)\/|(?:^|\/)docs\/proof\.md$|redaction\.md$|\.test\.ts$/;
const LANGUAGES = [
  '.ts',
  '.js',
  '.mjs',
  '.cjs',
  '.cs',
  '.py',
  '.pl',
  '.pm',
  '.css',
  '.html',
  '.sh',
  '.props',
  '.targets',
  '.xml',
  '.md',
  '.json',
  '.yml',
  '.yaml',
  '.txt',
];
const MAX_FILE_BYTES = 256 * 1024;
const MIN_CHARS = 20_000_000;
/** A machine with more sources gives a random part of them. */
const MAX_CHARS = 120_000_000;
const MAX_PER_MILLION = 1;
const MAX_NOTED = 20;
const PLACEHOLDER = '[REDACTED]';
/**
 * A file that shows a credential is not measured, because what it shows is no false alarm: a password in a URL, a key
 * or certificate, a JSON Web Token, a header with a cookie or credentials, a token in a query, an encrypted variable of
 * Travis CI, or one plain word that a string gives to a password, secret, token or API key.
 */
const SAMPLES = [
  /:\/\/[^\s/:@"'<>`]*(?::|%3A)[^\s/@"'<>`]+(?:@|%40)/i,
  /-----BEGIN [A-Z ]*(?:PRIVATE KEY|CERTIFICATE)/,
  /\beyJ[\w-]{10}/,
  /\bAuthorization['"]?[:,] *['"`]?(?:Bearer|Basic|OAuth|MAC|token)\b/i,
  /cookie['"]?[:,=](?: |%20)*\[?['"`]?\w+=/i,
  /token=(?=\w*\d)\w{8,}/i,
  /\bsecure: ['"]?[\w+/]{40}/,
  /(?:pass(?:word|phrase|wd)?|secret|token|api[-_]?key)(?:['"]?[ \t]*[:=(,][ \t]*['"]|[:=])[A-Za-z\d_-][\w@.-]*['";]/i,
];
/** The secrets that the control adds to a text, one after the other. */
const PLANTED = ['password = "tR0ub4dor&3xyz"', 'GET https://bob:tR0ub4dor@example.com/ 200'];

const { text } = createRedactor({ secrets: [] });
/** Removes control characters as the redactor does, and nothing else. */
const { text: withoutControls } = createUnsafeRedactor();

/**
 * Text without secrets stays as it is: sources of nine languages, logs and lock files. A short run reads only what is
 * the same on every machine.
 */
export const falseAlarms = {
  name: 'false-alarms',

  async run({ random, isShort }) {
    const { samples, notes } = logs(isShort);
    let samplesWithSecrets = 0;
    let chars = 0;
    const changes = [];
    const measure = ({ name, content }) => {
      chars += content.length;
      changes.push(...changesOf(name, content));
    };
    samples.forEach(measure);
    for (const file of sources(random, isShort)) {
      const content = readFileSync(file, 'utf8');
      if (SAMPLES.some((pattern) => pattern.test(content))) samplesWithSecrets += 1;
      else measure({ name: file.startsWith(ROOT) ? file.slice(ROOT.length) : file, content });
      if (chars >= MAX_CHARS) break;
    }
    if (chars < MIN_CHARS) return { notRun: `there are only ${count(chars)} characters of sources and logs` };
    const changed = changes.reduce((sum, { length }) => sum + length, 0);
    const isFew = (changed * 1e6) / chars <= MAX_PER_MILLION;
    const shown = changes.map(({ name, line, secret }) => `${name}: ${secret} in: ${line.trim().slice(0, 150)}`);
    return {
      tried: chars,
      failures: isFew ? [] : shown,
      notes: [
        ...notes,
        `${changed} of ${count(chars)} characters changed`,
        `${samplesWithSecrets} files were left out because they show credentials`,
        ...(isFew ? shown.slice(0, MAX_NOTED) : []),
        ...(isFew && shown.length > MAX_NOTED ? [`and ${shown.length - MAX_NOTED} more`] : []),
      ],
    };
  },

  /** A source has a password, and another one a URL with credentials. */
  async control({ random, isShort }) {
    const content = readFileSync(sources(random, isShort)[0], 'utf8');
    const before = changesOf('planted', content).length;
    return PLANTED.every((line) => changesOf('planted', `${content}\n${line}\n`).length > before);
  },
};

function count(number) {
  return number.toLocaleString('en');
}

/** The texts that the redactor replaces, each with its line. */
function changesOf(name, content) {
  const clean = withoutControls(content);
  const redacted = text(clean);
  if (redacted === clean) return [];
  const pieces = redacted.split(PLACEHOLDER);
  const changes = [];
  let start = pieces[0].length;
  for (const [index, piece] of pieces.entries()) {
    if (index === 0) continue;
    const end = index === pieces.length - 1 ? clean.length - piece.length : clean.indexOf(piece, start);
    const secret = clean.slice(start, end);
    const line = clean.slice(clean.lastIndexOf('\n', start - 1) + 1).split('\n', 1)[0];
    if (secret !== PLACEHOLDER) changes.push({ name, line, secret, length: secret.length });
    start = end + piece.length;
  }
  return changes;
}

/** The output of commands. A command that fails becomes a note. */
function logs(isShort) {
  const commands = [
    ['git', ['-C', ROOT, 'log', '-200', '--stat']],
    ['npm', ['ls', '--all', '--prefix', ROOT]],
    ...(isShort ? [] : [['dpkg', ['-l']]]),
  ];
  const samples = [];
  const notes = [];
  for (const [program, args] of commands) {
    const name = [program, ...args].join(' ');
    try {
      const options = { encoding: 'utf8', maxBuffer: 2 ** 27, stdio: ['ignore', 'pipe', 'ignore'] };
      samples.push({ name, content: execFileSync(program, args, options) });
    } catch (error) {
      notes.push(`not run: ${name}: ${error.code ?? `exit code ${error.status}`}`);
    }
  }
  return { samples, notes };
}

/** The files of all languages in random order. */
function sources(random, isShort) {
  const folders = [join(ROOT, 'node_modules'), ...(isShort ? [] : FOLDERS_OF_MACHINE)];
  const paths = [...repositoryFiles(), ...folders.filter((folder) => existsSync(folder)).flatMap(filesBelow)];
  const files = paths.filter((path) => LANGUAGES.includes(extname(path)) && statSync(path).size <= MAX_FILE_BYTES);
  for (let last = files.length - 1; last > 0; last--) {
    const other = random.integer(last + 1);
    [files[last], files[other]] = [files[other], files[last]];
  }
  return files;
}

function repositoryFiles() {
  const names = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  return names.filter((name) => name !== '' && !SKIPPED.test(name)).map((name) => join(ROOT, name));
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    // What tests have downloaded differs from machine to machine.
    if (entry.name === '.cache') return [];
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}
