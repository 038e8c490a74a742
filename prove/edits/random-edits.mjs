import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BROKEN, FILES, FOLDERS, NEW_NAMES, OPEN_FOLDERS } from './shop.mjs';
import { applyDiff } from './unified-diff.mjs';

const RENAMES = 0.6;
const IN_COMMENTS = 0.3;

/** Writes the solution of shop.mjs into a folder. */
export function writeShop(folder) {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/**
 * Random renames and fixes of the solution of shop.mjs, which was written into `folder`.
 * @param code calls `dotnet_code`, and returns `data` and `isError`
 * @param random as `createRandom` of ../random.mjs makes it
 */
export function createRandomEdits({ folder, code, random }) {
  const path = (name) => join(folder, name);
  const isSource = (name) => !/^(?:bin|obj)\b/.test(name);
  const filesIn = (directory) =>
    readdirSync(path(directory), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => isSource(file.slice(path(directory).length + 1)));
  const isTemporary = (file) => file.endsWith('.tmp');
  const sources = () => FOLDERS.flatMap(filesIn).filter((file) => !isTemporary(file));

  async function randomRename() {
    const { data, isError, text } = await code('Symbols', { symbol: '*' });
    if (isError) throw new Error(text);
    const args = { symbol: random.pick(data.symbols).name, newName: random.pick(NEW_NAMES) };
    const call = { ...args, comments: random.next() < IN_COMMENTS };
    const preview = await code('Rename', call);
    return {
      preview: preview.data,
      isError: preview.isError,
      action: 'Rename',
      args: { ...call, apply: true },
    };
  }

  async function randomFix() {
    const file = path(`${random.pick(OPEN_FOLDERS)}/Broken.cs`);
    writeFileSync(file, `namespace Shop;\n\n${random.pick(BROKEN)}\n`);
    const { data: found, isError: isRefused, text } = await code('Diagnostics', { file, severity: 'error' });
    if (isRefused) throw new Error(text);
    const { line, code: id } = random.pick(found.diagnostics);
    const { data, isError } = await code('Fixes', { file, line, code: id });
    const fix = data.fixes?.length > 0 ? random.pick(data.fixes) : undefined;
    return {
      preview: fix,
      isError: isError || !fix,
      action: 'ApplyFix',
      args: { file, line, code: id, fix: fix?.id },
    };
  }

  return {
    /** A call that writes, and the preview of what it does. It writes with conflicts too if it has `force`. */
    randomChange: () => (random.next() < RENAMES ? randomRename() : randomFix()),

    /** The text of each file of the solution, by its path. */
    contents: () => new Map(sources().map((file) => [file, readFileSync(file, 'utf8')])),

    /** What a change has written beside the files, and not yet renamed. */
    temporaries: () => FOLDERS.flatMap(filesIn).filter(isTemporary),

    /** What the files are after the changes of a preview. */
    after(before, changes) {
      const changed = new Map(before);
      for (const { path: file, newPath = file, diff } of changes) {
        const text = applyDiff(before.get(file) ?? '', diff);
        changed.delete(file);
        changed.set(newPath, text);
      }
      return changed;
    },

    /** Makes the files what they were at first. */
    restore() {
      const original = new Set(Object.keys(FILES).map(path));
      for (const file of FOLDERS.flatMap(filesIn)) if (!original.has(file)) rmSync(file);
      writeShop(folder);
    },
  };
}

/** The names of files whose texts differ. */
export const differences = (one, other) =>
  [...new Set([...one.keys(), ...other.keys()])].filter((file) => one.get(file) !== other.get(file));

const PRINTED_ERROR = /^(.+)\((\d+),\d+\): error (CS\d+):/gm;

/**
 * Compares the answer of a build with the errors of the workspace. A build does not reach the projects that need a failed
 * one, so the workspace can have more of them.
 */
export function disagreements(built, { errorCount, diagnostics }) {
  if (built.isError !== errorCount > 0)
    return [`dotnet build ${built.isError ? 'fails' : 'succeeds'}, with ${errorCount} errors in the workspace`];
  const known = new Set(diagnostics.map(({ file, line, code }) => `${file} ${line} ${code}`));
  return [...built.text.matchAll(PRINTED_ERROR)]
    .map(([, file, line, code]) => `${file} ${line} ${code}`)
    .filter((error) => !known.has(error))
    .map((error) => `dotnet build has an error that the workspace has not: ${error}`);
}
