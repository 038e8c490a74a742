// Makes what is published: of each package a few modules in dist/, beside the declarations that tsc writes there. What several
// of them need is in chunks that they share, so that a module is there once. Also vitest's, before the tests.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * `entries`: the module to make → its source. `external`: packages that stay packages, although they could be bundled.
 * `first`: what is loaded by `import()` before all else that is; `alone`: what `index` needs without it.
 * `processes`: what a process or a thread runs first, each with all that it needs, because one file starts faster than several.
 * `commonJs`: the same, as CommonJS: what is loaded by `require`, and a process that starts sooner without Node's loader of ES modules.
 */
const PACKAGES = {
  plugin: {
    entries: {
      index: 'index.ts',
      'contract/index': 'contract/index.ts',
      'runtime/index': 'runtime/index.ts',
      'testing/index': 'testing/index.ts',
    },
    processes: { 'testing/server-rules': '../../server/src/call/kit-rules.ts' },
    commonJs: { ajv: '../../server/src/json-schema/ajv.ts' },
    external: ['@mortise/plugin'],
  },
  redact: {
    entries: {
      index: 'index.ts',
      'private-keys/key-lines': 'private-keys/key-lines.ts',
      placeholder: 'placeholder.ts',
    },
  },
  // HTTP is on its own: what another module exports would be in the chunk of a start over stdio.
  mcp: { entries: { index: 'index.ts', 'http/index': 'http/index.ts', 'util/index': 'util/index.ts' } },
  // One class of each error and secret, here and in plugins: the plugin API is the package that they import.
  dotnet: {
    entries: { index: 'index.ts', definition: 'definition.ts', 'find-dotnet': 'process/find-dotnet.ts' },
    external: ['@mortise/plugin'],
  },
  server: {
    entries: { index: 'index.ts', cli: 'cli/main.ts' },
    first: 'cli/commands/serve.ts',
    alone: ['front/mcp/serve-http.ts'],
    processes: {
      'compile-cache': 'cli/compile-cache.ts',
      'plugin-worker': 'run/worker/main.ts',
      'validation-worker-main': 'call/validation/validation-worker-main.ts',
    },
    commonJs: { ajv: 'json-schema/ajv.ts', 'reaper-main': '../../process/src/reaper-main.ts' },
    // jiti loads its parts by their paths. @redis/client is optional.
    external: ['@mortise/plugin', '@mortise/dotnet', 'jiti', '@redis/client'],
  },
  'create-mortise-plugin': { entries: { main: 'main.ts' }, external: ['mortise'] },
};

const LICENCES = 'THIRD-PARTY-LICENSES.txt';

/** Packages of this workspace whose sources are bundled, or tested, in place of what they publish. */
const BUNDLED_SOURCES = {
  '@mortise/redact': join(root, 'packages/redact/src/index.ts'),
  '@mortise/redact/key-lines': join(root, 'packages/redact/src/private-keys/key-lines.ts'),
  '@mortise/redact/placeholder': join(root, 'packages/redact/src/placeholder.ts'),
  '@mortise/mcp': join(root, 'packages/mcp/src/index.ts'),
  '@mortise/mcp/http': join(root, 'packages/mcp/src/http/index.ts'),
  '@mortise/mcp/util': join(root, 'packages/mcp/src/util/index.ts'),
  '@mortise/process': join(root, 'packages/process/src/index.ts'),
};
export const TESTED_SOURCES = {
  ...BUNDLED_SOURCES,
  '@mortise/plugin': join(root, 'packages/plugin/src/index.ts'),
  '@mortise/plugin/contract': join(root, 'packages/plugin/src/contract/index.ts'),
  '@mortise/plugin/runtime': join(root, 'packages/plugin/src/runtime/index.ts'),
  '@mortise/plugin/testing': join(root, 'packages/plugin/src/testing/index.ts'),
};

/** CommonJS packages require Node's modules. */
const REQUIRE =
  "import { createRequire as createRequire_ } from 'node:module'; const require = createRequire_(import.meta.url);";

const COMMON = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  // The UMD build of jsonc-parser, which main names, cannot be bundled.
  mainFields: ['module', 'main'],
  alias: BUNDLED_SOURCES,
  legalComments: 'none',
  sourcemap: true,
  metafile: true,
  write: false,
  logLevel: 'warning',
};

/** Bundles all packages, each from its sources. */
export async function setup() {
  await Promise.all(Object.keys(PACKAGES).map(bundle));
  await stop();
  await prepareDefinition();
}

/** What the .NET tools provide, so that a server lists them without loading them (packages/dotnet/src/definition.ts). */
async function prepareDefinition() {
  const { loadPlugin } = await import('../packages/plugin/dist/runtime/index.js');
  const { defaultsOf } = await import('./default-settings.mjs');
  const dist = join(root, 'packages/dotnet/dist');
  const server = { name: 'mortise', version: '0.0.0' };
  const sections = ['Dotnet', 'Sessions', 'Concurrency', 'Output'].map((name) => [name, defaultsOf(name)]);
  const config = Object.fromEntries(sections);
  config.Dotnet.Enabled = true;
  const host = { pluginName: 'dotnet', config, server, processes: {}, log() {} };
  const plugin = await loadPlugin(await import(join(dist, 'index.js')), { file: join(dist, 'index.js'), host });
  // Where a tool is defined is a place on this machine, and helps authors of plugins alone.
  const tools = plugin.definition.tools.map(({ definedAt, ...tool }) => tool);
  writeChanged(join(dist, 'definition.json'), Buffer.from(JSON.stringify({ ...plugin.definition, tools })));
  await plugin.dispose();
}

async function bundle(name) {
  const { entries, first, alone = [], processes = {}, commonJs = {}, external = [] } = PACKAGES[name];
  const dist = join(root, 'packages', name, 'dist');
  const banner = name === 'server' ? { js: REQUIRE } : {};
  const source = (path) => join(root, 'packages', name, 'src', path);
  const options = (sources) => ({
    ...COMMON,
    entryPoints: Object.entries(sources).map(([out, path]) => ({ out, in: source(path) })),
    outdir: dist,
    external,
  });
  const results = [
    await build({
      ...options(entries),
      format: 'esm',
      splitting: true,
      chunkNames: 'chunk-[hash]',
      banner,
      plugins: first === undefined ? [] : [loadedAfter(source(first), source(entries.cli), alone.map(source))],
    }),
    await build({ ...options(processes), format: 'esm', banner }),
    await build({ ...options(commonJs), format: 'cjs', outExtension: { '.js': '.cjs' } }),
  ];
  const made = results.flatMap(({ outputFiles }) => outputFiles);
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  for (const { path, contents } of made) writeChanged(path, contents);
  const licences = licencesOf(inputs);
  if (licences !== '') writeChanged(join(dist, LICENCES), Buffer.from(licences));
  removeOthers(dist, new Set(made.map(({ path }) => path)));
}

/**
 * A chunk is made for each set of entries that need the same modules, and every `import()` makes an entry. What is loaded late
 * imports what is there by then, which it would not have to: so all that a start loads is in few chunks.
 */
function loadedAfter(first, entry, alone) {
  const folder = join(root, 'packages/server/src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const late = files.flatMap((file) => {
    const specifiers = readFileSync(join(folder, file), 'utf8').matchAll(/await import\('(\.[^']+)\.js'\)/g);
    return [...specifiers].map(([, path]) => join(folder, dirname(file), `${path}.ts`));
  });
  const before = new Map(late.map((path) => [path, path === first ? entry : first]));
  for (const path of alone) before.delete(path);
  return {
    name: 'loaded-after',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const earlier = before.get(path);
        if (earlier === undefined) return undefined;
        return { contents: `${readFileSync(path, 'utf8')}\nimport ${JSON.stringify(earlier)};\n`, loader: 'ts' };
      });
    },
  };
}

/** Servers that run meanwhile load parts when they need them: what is the same is not touched, and nothing is there in half. */
function writeChanged(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
}

/** Modules of former builds, and declarations of sources that are gone. */
function removeOthers(dist, made) {
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isOld = /\.c?js(?:\.map)?$/.test(entry.name) && !made.has(path);
    const source = join(dist, '../src', `${relative(dist, path).replace(/\.d\.ts$/, '')}.ts`);
    if (isOld || (entry.name.endsWith('.d.ts') && !existsSync(source))) rmSync(path, { force: true });
  }
}

/** The licences of the packages of others that are in a bundle, each once. */
function licencesOf(inputs) {
  const folders = inputs.map((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  const texts = [...new Set(folders.filter((folder) => folder !== undefined))].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const files = readdirSync(join(root, folder)).filter((item) =>
      /^(?:licen[cs]e|notice)(?:\.(?:md|txt))?$/i.test(item),
    );
    if (files.length === 0) throw new Error(`${folder} has no licence text, and its code would be published`);
    const all = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim()).join('\n\n');
    return `${name} ${version} (${license})\n\n${all}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();
