import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SOURCE = fileURLToPath(new URL('../../../src', import.meta.url));
/** What is loaded with a module: not types, and not what `import()` may load later. */
const STATIC = /(?:^|\n)(?:import|export)\s+(?!type\b)[^'"]*?from\s*'([^']+)'/g;

/** Everything that is loaded with a file of ours. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(STATIC)) {
    const target = specifier.startsWith('.') ? resolve(dirname(file), specifier).replace(/\.js$/, '.ts') : specifier;
    if (existsSync(target)) loadedWith(target, seen);
    else seen.add(target);
  }
  return seen;
}

it('loads no client of MCP with the server, nor with a mounted one that was not needed yet', () => {
  for (const file of [
    'server.ts',
    'cli/main.ts',
    'front/mcp/serve-stdio.ts',
    'run/mounted/create-mcp-client-runner.ts',
  ])
    expect(
      [...loadedWith(join(SOURCE, file))].filter((name) => name.startsWith('@modelcontextprotocol/client')),
    ).toEqual([]);
});

it('loads it with a connection', () => {
  expect(loadedWith(join(SOURCE, 'run/mounted/connect.ts'))).toContain('@modelcontextprotocol/client');
});
