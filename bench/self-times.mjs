import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * The microseconds that a process spent in the functions of each file between two moments, from the profile that
 * `node --cpu-prof` has written into the folder: `{package, file, us}`. Functions of V8 are files of `(native)`; what is not
 * a function, such as `(idle)`, is a package and a file of that name.
 */
export function readSelfTimes(folder, pid, { startUs, endUs }) {
  const name = readdirSync(folder).find((file) => file.split('.')[3] === `${pid}`);
  if (name === undefined) throw new Error('The server has not written a profile');
  const { nodes, samples, timeDeltas, startTime } = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const locate = createLocator();
  const files = new Map();
  let atUs = startTime;
  samples.forEach((id, index) => {
    atUs += timeDeltas[index];
    if (atUs < startUs || atUs >= endUs) return;
    const place = locate(frames.get(id));
    const entry = files.get(place.file) ?? { ...place, us: 0 };
    entry.us += timeDeltas[index + 1] ?? 0;
    files.set(place.file, entry);
  });
  return [...files.values()];
}

/** Finds the package and the file of a function: the source, if there is a source map beside the file. */
function createLocator() {
  const maps = new Map();
  const mapOf = (url) => {
    if (!maps.has(url)) maps.set(url, readMap(url));
    return maps.get(url);
  };
  return ({ url, functionName, lineNumber, columnNumber }) => {
    if (url === '') return nativePlace(functionName);
    if (!url.startsWith('file:')) return { package: 'node', file: url };
    const source = mapOf(url)?.findEntry(lineNumber, columnNumber).originalSource;
    return placeOf(fileURLToPath(source === undefined ? url : new URL(source, url)));
  };
}

const nativePlace = (name) =>
  name.startsWith('(')
    ? { package: name, file: name }
    : { package: '(native)', file: `(native) ${name || '(anonymous)'}` };

/** The package is `packages/server`, `@scope/name` or `bench`; files of installed packages begin with their package. */
function placeOf(path) {
  const installed = /.*node_modules\/(((?:@[^/]+\/)?[^/]+).*)/.exec(path);
  if (installed !== null) return { package: installed[2], file: installed[1] };
  const file = relative(ROOT, path);
  return { package: /^packages\/[^/]+/.exec(file)?.[0] ?? file.split('/')[0], file };
}

function readMap(url) {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${url}.map`), 'utf8')));
  } catch {
    return undefined;
  }
}
