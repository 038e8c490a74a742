import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRedactor } from '../../packages/redact/dist/index.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Installed by `npm ci`, with the .NET SDK, or with Debian. */
const FOLDERS = [ROOT, '/usr/share/dotnet', '/usr/lib/python3', '/usr/share/perl', '/usr/share/doc'];
const LANGUAGES = [
  '.ts',
  '.mjs',
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
];
const MAX_FILE_BYTES = 256 * 1024;
const BYTES = 20 * 1024 * 1024;
const SHORT_BYTES = 2 * 1024 * 1024;
const MAX_PER_MILLION = 1;
/** The repository's own samples of secrets, and folders with the output of builds. */
const SKIPPED = /(?:^|\/)(?:\.git|build|dist|cases|recordings|redact|secrets|security|prove)(?:\/|$)|\.test\.ts$/;

const { text } = createRedactor({ secrets: [] });

/** Text without secrets stays as it is: sources of eight languages, logs and lock files. */
export const falseAlarms = {
  name: 'false-alarms',

  async run({ random, isShort }) {
    const samples = [...logs(), ...sources(random, isShort ? SHORT_BYTES : BYTES)];
    const chars = samples.reduce((sum, { content }) => sum + content.length, 0);
    const changes = samples.flatMap(({ name, content }) => changesOf(name, content));
    const changed = changes.reduce((sum, { length }) => sum + length, 0);
    const isFew = (changed * 1e6) / chars <= MAX_PER_MILLION;
    const shown = changes.map(
      ({ name, line, redacted }) => `${name}: ${line.trim().slice(0, 150)} → ${redacted.trim().slice(0, 150)}`,
    );
    return {
      tried: chars,
      failures: isFew ? [] : shown,
      notes: [`${changed} of ${chars.toLocaleString('en')} characters changed`, ...(isFew ? shown : [])],
    };
  },

  /** One line has a password. */
  async control({ random }) {
    const [{ content }] = sources(random, 1);
    return (
      changesOf('planted', `${content}\npassword = "tR0ub4dor&3xyz"\n`).length > changesOf('planted', content).length
    );
  },
};

/** The lines that the redactor changes. */
function changesOf(name, content) {
  const redacted = text(content);
  if (redacted === content) return [];
  const lines = redacted.split('\n');
  return content
    .split('\n')
    .map((line, index) => ({ name, line, redacted: lines[index] ?? '' }))
    .filter((change) => change.line !== change.redacted)
    .map((change) => ({ ...change, length: changedLength(change) }));
}

/** The length of what is between the parts at the beginning and the end that stayed. */
function changedLength({ line, redacted }) {
  const shorter = Math.min(line.length, redacted.length);
  let before = 0;
  while (before < shorter && line[before] === redacted[before]) before += 1;
  let after = 0;
  while (after < shorter - before && line.at(-1 - after) === redacted.at(-1 - after)) after += 1;
  return line.length - before - after;
}

function logs() {
  const commands = [
    ['git', ['-C', ROOT, 'log', '-200', '--stat']],
    ['npm', ['ls', '--all', '--prefix', ROOT]],
    ['dpkg', ['-l']],
  ];
  return commands.flatMap(([program, args]) => {
    try {
      const content = execFileSync(program, args, {
        encoding: 'utf8',
        maxBuffer: 2 ** 27,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      return [{ name: [program, ...args].join(' '), content }];
    } catch {
      return [];
    }
  });
}

/** Files of all languages in turns, until there are so many bytes. */
function sources(random, bytes) {
  const files = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) => filesBelow(folder));
  const byLanguage = LANGUAGES.map((extension) => files.filter((file) => extname(file) === extension));
  const samples = [];
  for (let sum = 0; sum < bytes && byLanguage.some((some) => some.length > 0); ) {
    for (const some of byLanguage.filter(({ length }) => length > 0)) {
      const [file] = some.splice(random.integer(some.length), 1);
      const content = readFileSync(file, 'utf8');
      samples.push({ name: file, content });
      sum += content.length;
    }
  }
  return samples;
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (SKIPPED.test(path.slice(ROOT.length))) return [];
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() && statSync(path).size <= MAX_FILE_BYTES ? [path] : [];
  });
}
