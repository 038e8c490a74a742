// The import walls of ARCHITECTURE.md as a table: who may import what. Exits with 1 and names each import that may not be.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * `from`: files by prefix. `deny`: prefixes of files, or of packages, that they may not import.
 * `within`: the same for all files but those of `except`, one prefix or several.
 */
const WALLS = [
  {
    why: 'the contract has no runtime dependency and knows nothing of the server',
    from: 'packages/plugin/src/',
    deny: ['packages/server/', 'packages/create-mortise-plugin/', 'npm:'],
  },
  {
    why: 'only mcp/ speaks MCP to clients, and runners/mounted/ to servers',
    within: 'packages/server/src/',
    except: ['packages/server/src/mcp/', 'packages/server/src/runners/mounted/'],
    deny: ['npm:@modelcontextprotocol/'],
  },
  {
    why: 'a mounted server is spoken to by the client',
    from: 'packages/server/src/runners/mounted/',
    deny: ['npm:@modelcontextprotocol/server', 'npm:@modelcontextprotocol/node'],
  },
  {
    why: 'only log.ts writes the log',
    within: 'packages/server/src/',
    except: 'packages/server/src/log.ts',
    deny: ['npm:pino'],
  },
  {
    why: 'only json-schema/ compiles schemas',
    within: 'packages/server/src/',
    except: 'packages/server/src/json-schema/',
    deny: ['npm:ajv'],
  },
  {
    why: 'only cli/ parses arguments',
    within: 'packages/server/src/',
    except: 'packages/server/src/cli/',
    deny: ['npm:commander'],
  },
  {
    why: 'the contract of results knows no stage and no front end',
    from: 'packages/server/src/contract/',
    deny: [
      'packages/server/src/call/',
      'packages/server/src/mcp/',
      'packages/server/src/cli/',
      'packages/server/src/plugins/',
    ],
  },
  {
    why: 'the road of a call knows no front end',
    from: 'packages/server/src/call/',
    deny: ['packages/server/src/mcp/', 'packages/server/src/cli/', 'packages/server/src/server.ts'],
  },
  {
    why: 'redaction knows the contract of plugins alone',
    from: 'packages/server/src/redact/',
    deny: ['packages/server/src/', 'npm:'],
    except: ['packages/server/src/redact/', 'npm:@mortise/plugin'],
  },
  {
    why: 'front ends see the host, not its insides',
    from: 'packages/server/src/mcp/',
    deny: [
      'packages/server/src/call/',
      'packages/server/src/plugins/',
      'packages/server/src/runners/',
      'packages/server/src/cli/',
      'packages/server/src/server.ts',
    ],
  },
  {
    why: 'nothing but the command imports the command line',
    within: 'packages/server/src/',
    except: 'packages/server/src/cli/',
    deny: ['packages/server/src/cli/'],
  },
];

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'"\n;]*?(?:\n[^'"\n;]*?)*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

const problems = sourceFiles('packages').flatMap((file) =>
  importsOf(file).flatMap((target) => brokenWalls(file, target)),
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function brokenWalls(file, target) {
  return WALLS.filter((wall) => {
    const isInside = file.startsWith(wall.from ?? wall.within);
    const isExempt = [wall.except ?? []].flat().some((prefix) => (wall.from ? target : file).startsWith(prefix));
    return isInside && !isExempt && wall.deny.some((prefix) => matches(target, prefix));
  }).map((wall) => `${file} imports ${target}: ${wall.why}`);
}

function matches(target, prefix) {
  if (!prefix.startsWith('npm:') || prefix === 'npm:') return target.startsWith(prefix);
  return target === prefix || target.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}

function importsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(IMPORT)]
    .map((match) => match[1] ?? match[2])
    .flatMap((specifier) => {
      if (specifier.startsWith('.'))
        return [
          relative(root, resolve(root, dirname(file), specifier))
            .split(sep)
            .join('/')
            .replace(/\.js$/, '.ts'),
        ];
      return specifier.startsWith('node:') ? [] : [`npm:${specifier}`];
    });
}

function sourceFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((file) => /^packages\/[^/]+\/src\//.test(file));
}
