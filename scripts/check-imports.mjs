// Who may import whom. Each package has an ordered list of folders: a folder imports only itself and what is above it in the
// list, type imports included. Reports imports that break the order or a rule of a package, cycles between files and between
// folders, and basenames that a package has twice. Exits with 1 and names each.
// `node scripts/check-imports.mjs [folder]`: another folder, for its test.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));

/**
 * From the lowest to the highest. A name ending in `.ts` is a file of the package's src/; `.` is all other files that are
 * directly in it. A folder holds its subfolders, except those that are in the list themselves.
 */
const ORDER = {
  plugin: [
    '.',
    'contract',
    'schemas',
    'define-tool.ts',
    'register.ts',
    'define-plugin.ts',
    'runtime',
    'testing',
    'index.ts',
  ],
  mcp: ['util', 'json-rpc', 'protocol', 'tasks', 'core', 'input', 'stdio', 'http', 'index.ts'],
  process: ['.', 'index.ts'],
  redact: ['placeholder.ts', 'json-input.ts', 'scanning', 'private-keys', 'values', 'detectors', '.', 'index.ts'],
  dotnet: [
    'xml',
    'process',
    'settings.ts',
    'metrics.ts',
    'operations.ts',
    'project-files',
    'locks',
    'changes',
    'sdk',
    'host',
    'sessions',
    'advice/codes',
    'msbuild',
    'diagnostics/parse',
    'nuget',
    'diagnostics/tests',
    'advice',
    'analysis',
    'definition.ts',
    'services.ts',
    'actions',
    'tools/shared',
    'tools/code',
    'tools/project',
    'tools',
    'prompts',
    'resources',
    'index.ts',
  ],
  server: [
    'util',
    'settings',
    'json-schema',
    'log',
    'state',
    'core',
    'call/results',
    'processes',
    'plugins/find',
    'plugins/load',
    'run/worker',
    'plugins/pins',
    'run/shared',
    'run/process',
    'run/mounted',
    'run/dotnet',
    'run',
    'plugins/catalog',
    'access/audit',
    'front/metrics',
    'access',
    'call/validation',
    'call/interceptors',
    'call',
    'call/resources',
    'call/observers',
    'server-interface.ts',
    'server-parts.ts',
    'server.ts',
    'front/page',
    'front/mcp',
    'cli/new',
    'cli/shared',
    'cli/call',
    'cli/pack',
    'cli/commands',
    'cli',
    'index.ts',
  ],
  'create-mortise-plugin': ['main.ts'],
  workbench: ['json', 'platform', 'rpc', 'form', 'state', 'view', 'main.ts'],
};

const SERVER = 'packages/server/src/';

/**
 * What the order does not say. `from`: the files that a rule is about, by prefix, without those of `except`.
 * `deny`: prefixes of files, or of packages with `npm:`, that they may not import, without those of `allow`.
 */
const RULES = [
  {
    why: 'the plugin API has no dependency',
    from: 'packages/plugin/src/',
    deny: ['npm:'],
    // The test kit gives translated modules the package itself. What it needs of the redactor is in its bundle.
    allow: ['npm:@mortise/plugin', 'npm:@mortise/redact'],
  },
  {
    why: '@mortise/mcp has no dependency',
    from: 'packages/mcp/src/',
    deny: ['npm:'],
  },
  {
    why: '@mortise/redact has no dependency',
    from: 'packages/redact/src/',
    deny: ['npm:'],
  },
  {
    why: '@mortise/process has no dependency, and knows nothing of Mortise',
    from: 'packages/process/src/',
    deny: ['npm:'],
  },
  {
    why: 'the fields and JSON of the page are pure functions',
    from: 'packages/workbench/src/form/',
    deny: ['npm:'],
    allow: ['npm:@cfworker/json-schema'],
  },
  {
    why: 'only front/mcp/ speaks MCP to clients, and run/mounted/ to servers',
    from: SERVER,
    except: [`${SERVER}front/mcp/`, `${SERVER}run/mounted/`],
    deny: ['npm:@modelcontextprotocol/'],
  },
  {
    why: 'run/mounted/ is a client',
    from: `${SERVER}run/mounted/`,
    deny: ['npm:@modelcontextprotocol/server', 'npm:@modelcontextprotocol/node'],
  },
  {
    why: 'only json-schema/ compiles schemas',
    from: SERVER,
    except: [`${SERVER}json-schema/`],
    deny: ['npm:ajv'],
  },
  {
    why: 'only cli/ parses arguments',
    from: SERVER,
    except: [`${SERVER}cli/`],
    deny: ['npm:commander'],
  },
  {
    why: 'front/ sees the server as core/ describes it',
    from: `${SERVER}front/`,
    deny: [SERVER],
    allow: ['front/', 'core/', 'access/', 'log/', 'settings/', 'util/'].map((folder) => SERVER + folder),
  },
  {
    why: 'only server.ts imports the pipeline of calls, except how results look',
    from: SERVER,
    except: [`${SERVER}server.ts`, `${SERVER}server-parts.ts`, `${SERVER}call/`],
    deny: [`${SERVER}call/`],
    allow: [`${SERVER}call/results/`],
  },
  {
    why: 'only server.ts, its interface and cli/ import the catalog',
    from: SERVER,
    except: [`${SERVER}server`, `${SERVER}cli/`, `${SERVER}plugins/catalog/`],
    deny: [`${SERVER}plugins/catalog/`],
  },
];

/** Files in this folder are named after commands, so another file may have the same name. */
const COMMANDS = 'cli/commands/';

/** May be in several folders of a package. */
const COMMON_NAMES = new Set(['index.ts', 'main.ts']);

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'"\n;]*?(?:\n[^'"\n;]*?)*?from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

const problems = packagesIn('packages').flatMap(checkPackage);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function checkPackage(name) {
  const order = ORDER[name];
  if (!order) return [`packages/${name} has no list of folders in scripts/check-imports.mjs`];
  const base = `packages/${name}/src/`;
  const files = sourceFiles(base);
  const fileSet = new Set(files);
  const imports = files.flatMap((from) => importsOf(from, fileSet).map((to) => ({ from, to })));
  const inside = imports.filter(({ to }) => fileSet.has(to));
  const unitOf = (file) => findUnit(order, file.slice(base.length));
  const edges = inside.map(({ from, to }) => ({ from: unitOf(from), to: unitOf(to) }));
  return [
    ...files.filter((file) => unitOf(file) === undefined).map((file) => `${file} is in no folder of the list`),
    ...inside.flatMap(({ from, to }) => brokenOrder(order, unitOf, from, to)),
    ...imports.flatMap(({ from, to }) => brokenRules(from, to)),
    ...imports.flatMap(({ from, to }) => fileOutside(base, from, to)),
    ...cycles(inside).map((cycle) => `cycle between files: ${cycle.join(', ')}`),
    ...cycles(edges.filter(({ from, to }) => from !== to)).map(
      (cycle) => `cycle between folders of ${base}: ${cycle.join(', ')}`,
    ),
    ...doubleNames(files),
  ];
}

/** The entry of the list that a file belongs to: itself, the nearest folder, or `.`. */
function findUnit(order, file) {
  if (order.includes(file)) return file;
  for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder)) {
    if (order.includes(folder)) return folder;
  }
  return !file.includes('/') && order.includes('.') ? '.' : undefined;
}

function brokenOrder(order, unitOf, from, to) {
  const [importer, imported] = [unitOf(from), unitOf(to)];
  if (importer === undefined || imported === undefined) return [];
  if (order.indexOf(imported) <= order.indexOf(importer)) return [];
  return [`${from} imports ${to}: ${imported} comes after ${importer} in the list`];
}

function brokenRules(from, to) {
  return RULES.filter((rule) => {
    const applies = from.startsWith(rule.from) && !rule.except?.some((prefix) => from.startsWith(prefix));
    const isAllowed = rule.allow?.some((prefix) => to.startsWith(prefix));
    return applies && !isAllowed && rule.deny.some((prefix) => matches(to, prefix));
  }).map((rule) => `${from} imports ${to}: ${rule.why}`);
}

/** What a package does not export no one can import. */
function fileOutside(base, from, to) {
  return to.startsWith('npm:') || to.startsWith(base) ? [] : [`${from} imports ${to}: a file of another package`];
}

function matches(target, prefix) {
  if (!prefix.startsWith('npm:') || prefix === 'npm:') return target.startsWith(prefix);
  return target === prefix || target.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}

function doubleNames(files) {
  const byName = new Map();
  for (const file of files.filter((path) => !path.includes(COMMANDS)))
    byName.set(posix.basename(file), [...(byName.get(posix.basename(file)) ?? []), file]);
  return [...byName]
    .filter(([name, paths]) => paths.length > 1 && !COMMON_NAMES.has(name))
    .map(([, paths]) => `files of one name: ${paths.join(', ')}`);
}

/** Groups of nodes that reach each other (Tarjan). */
function cycles(edges) {
  const next = new Map();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const indices = new Map();
  const lowest = new Map();
  const open = [];
  const found = [];
  const visit = (node) => {
    const index = indices.size;
    indices.set(node, index);
    lowest.set(node, index);
    open.push(node);
    for (const target of next.get(node) ?? []) {
      if (!indices.has(target)) visit(target);
      if (open.includes(target)) lowest.set(node, Math.min(lowest.get(node), lowest.get(target)));
    }
    if (lowest.get(node) !== index) return;
    const group = open.splice(open.indexOf(node));
    if (group.length > 1 || next.get(node)?.includes(node)) found.push(group);
  };
  for (const node of next.keys()) if (!indices.has(node)) visit(node);
  return found;
}

/** Files of the repository by their path, packages by `npm:` and their name; nothing of Node. */
function importsOf(file, files) {
  const text = readFileSync(join(root, file), 'utf8').replace(/\/\*\*[\s\S]*?\*\//g, '');
  return [...text.matchAll(IMPORT)]
    .map((match) => match[1] ?? match[2] ?? match[3])
    .flatMap((specifier) => {
      if (!specifier.startsWith('.')) return specifier.startsWith('node:') ? [] : [`npm:${specifier}`];
      if (specifier.endsWith('.css')) return [];
      const path = posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
      return [files.has(`${path}x`) ? `${path}x` : path];
    });
}

function packagesIn(folder) {
  return readdirSync(join(root, folder)).filter((name) => existsSync(join(root, folder, name, 'src')));
}

function sourceFiles(base) {
  return readdirSync(join(root, base), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}
