// Runs the real `dotnet` in the place of the program and keeps what it did. Only `MORTISE_RECORD=1` comes here.
const { spawn } = require('node:child_process');
const { existsSync, openSync, closeSync, readdirSync, readFileSync, statSync, writeFileSync } = require('node:fs');
const { constants } = require('node:os');
const { delimiter, join, relative } = require('node:path');
const { keepsOf } = require('./kept-files.cjs');

/** Without output for this long, an ended command has printed everything: build servers keep its pipes open. */
const QUIET_MS = 100;

module.exports = ({ state, folder, command, ownNames, withoutOwnNames }) => {
  const file = runFile(state);
  const roots = [state.workplace, ...ownFolders(command, ownNames)];
  const before = listFiles(roots);
  const PATH = process.env.PATH.split(delimiter).filter((entry) => entry !== folder);
  const env = { ...process.env, PATH: PATH.join(delimiter) };
  const child = spawn(state.dotnet, process.argv.slice(2), { stdio: ['inherit', 'pipe', 'pipe'], env });
  const chunks = [];
  let lastAt = 0;
  for (const [fd, stream, target] of [
    [1, child.stdout, process.stdout],
    [2, child.stderr, process.stderr],
  ]) {
    target.on('error', () => {});
    stream.on('data', (chunk) => {
      lastAt = performance.now();
      chunks.push([fd, chunk]);
      target.write(chunk);
    });
  }
  let untilSignal = false;
  const save = (exitCode) => {
    const known = (text) => withoutOwnNames(text, ownNames);
    const files = Object.fromEntries(
      changes(before, listFiles(roots), state.workplace).map(([path, content]) => [
        known(path),
        Array.isArray(content) ? content.map(known) : content,
      ]),
    );
    const run = {
      workplace: state.workplace,
      ...command,
      exitCode,
      untilSignal,
      lines: linesOf(chunks).map(known),
      files,
    };
    writeFileSync(file, JSON.stringify(run));
  };
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      untilSignal = true;
      // The whole group may be killed before the command has ended.
      save(128 + constants.signals[signal]);
    });
  }
  child.once('exit', async (code, signal) => {
    const exitCode = code ?? 128 + constants.signals[signal];
    while (!child.stdout.closed && performance.now() - lastAt < QUIET_MS) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    save(exitCode);
    process.exit(exitCode);
  });
};

module.exports.runFile = runFile;

/** A file of this command, numbered in the order of starting. */
function runFile({ recorded, test }) {
  for (let number = 0; ; number += 1) {
    const file = join(recorded, `${test}-${String(number).padStart(4, '0')}.json`);
    try {
      closeSync(openSync(file, 'wx'));
      return file;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

/** The temporary folders of the server that the command knows. */
function ownFolders(_, ownNames) {
  return ownNames.map((name) => join(require('node:os').tmpdir(), name)).filter(existsSync);
}

/** Path → when it was written, and its size. */
function listFiles(roots) {
  const files = new Map();
  const look = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      try {
        if (entry.isDirectory()) look(path);
        else if (entry.isFile()) {
          const { mtimeNs, size } = statSync(path, { bigint: true });
          files.set(path, `${mtimeNs} ${size}`);
        }
      } catch (error) {
        if (error.code !== 'ENOENT') throw error;
      }
    }
  };
  for (const root of roots) look(root);
  return files;
}

function changes(before, after, workplace) {
  const removed = [...before.keys()].filter((path) => !after.has(path)).map((path) => [path, null]);
  // In the order in which they were written: the server compares times of files.
  const written = [...after]
    .filter(([path, state]) => before.get(path) !== state)
    .sort(([, one], [, other]) => (BigInt(one.split(' ')[0]) < BigInt(other.split(' ')[0]) ? -1 : 1))
    .map(([path]) => path);
  const kept = (path) => keepsOf(relative(workplace, path));
  return [
    ...removed.filter(([path]) => kept(path)),
    ...written.flatMap((path) => (kept(path) ? [[path, contentOf(path, kept(path))]] : [])),
  ];
}

const MAX_TEXT_BYTES = 600_000;

function contentOf(path, keep) {
  const bytes = keep === 'name' || !existsSync(path) ? undefined : readFileSync(path);
  if (bytes === undefined || bytes.length > MAX_TEXT_BYTES) return 'binary';
  // The logs of Microsoft.Testing.Platform.
  if (path.endsWith('.log') && bytes.includes(0)) return { utf16le: bytes.toString('utf16le').split('\n') };
  const text = bytes.toString('utf8');
  if (text.includes('\0') || !Buffer.from(text).equals(bytes)) return 'binary';
  return (typeof keep === 'function' ? keep(text) : text).split('\n');
}

/** `1 text` is a line of stdout, `2 text` one of stderr; `1-text` lacks its line end. */
function linesOf(chunks) {
  const rests = { 1: [], 2: [] };
  const lines = [];
  for (const [fd, chunk] of chunks) {
    rests[fd].push(chunk);
    const pieces = Buffer.concat(rests[fd]).toString('latin1').split('\n');
    rests[fd] = [Buffer.from(pieces.pop(), 'latin1')];
    for (const piece of pieces) lines.push(`${fd} ${Buffer.from(piece, 'latin1')}`);
  }
  for (const fd of [1, 2]) {
    const rest = Buffer.concat(rests[fd]);
    if (rest.length > 0) lines.push(`${fd}-${rest}`);
  }
  return lines;
}
