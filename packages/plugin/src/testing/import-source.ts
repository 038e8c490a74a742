import { readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { asSentence, describeError } from '../runtime/describe.js';
import { importPlugin, type ModuleNamespace, type Transpiler, transpileWith } from '../runtime/import-plugin.js';
import { indexFileOf, type PackageJson, packageEntry } from '../runtime/package-entry.js';

export interface ImportedSource {
  readonly namespace: ModuleNamespace;
  /** An absolute path. */
  readonly file: string;
}

/**
 * Imports a plugin from a path as the server does: a module in JavaScript or TypeScript, or a folder with a
 * package.json or an index file.
 * @throws Error that names the file that cannot be imported, and the reason
 */
export async function importSource(source: string | URL): Promise<ImportedSource> {
  const path = toPath(source);
  try {
    const isFolder = statSync(path).isDirectory();
    const file = realpathSync(isFolder ? entryOf(path) : path);
    const root = isFolder ? realpathSync(path) : undefined;
    return { namespace: await importPlugin(file, { root, importNatively, transpile }), file };
  } catch (cause) {
    throw new Error(`${path} cannot be imported: ${asSentence(describeError(cause))}`, { cause });
  }
}

function toPath(source: string | URL): string {
  const isUrl = source instanceof URL || source.startsWith('file:');
  return isUrl ? fileURLToPath(source) : resolve(source as string);
}

/** @throws Error if the server would not load the folder */
function entryOf(folder: string): string {
  const json = readJson(join(folder, 'package.json'));
  const main = json === undefined ? undefined : packageEntry(folder, json);
  if (main && 'missing' in main) throw new Error(`package.json: ${main.missing}`);
  const entry = main === undefined ? indexFileOf(folder) : main.entry;
  if (entry !== undefined) return entry;
  throw new Error('the folder has no index file');
}

function readJson(file: string): PackageJson | undefined {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  return JSON.parse(readFileSync(file, 'utf8')) as PackageJson;
}

const importNatively = (entry: string): Promise<ModuleNamespace> => import(pathToFileURL(entry).href);

async function transpile(entry: string): Promise<ModuleNamespace> {
  const virtualModules = { '@mortise/plugin': await import('@mortise/plugin') };
  return transpileWith(await findTranspiler(entry), entry, { virtualModules });
}

/**
 * Finds jiti among the dependencies of the plugin, or of the project that installed this package. This package itself
 * has no dependencies.
 */
async function findTranspiler(entry: string): Promise<Transpiler> {
  for (const from of [entry, import.meta.url]) {
    try {
      const { default: jiti } = await import(pathToFileURL(createRequire(from).resolve('jiti')).href);
      return jiti as Transpiler;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new Error(
    `Node.js cannot import it without jiti, which is not installed. Run \`npm install --save-dev jiti\` in ${dirname(entry)}`,
  );
}
