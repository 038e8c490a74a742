import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { WAIT_MS } from './test/support/wait-for.ts';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What takes longest begins first, so that nothing runs alone at the end: builds of .NET projects, then servers, then modules. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const path = relative(source('.'), moduleId);
      if (/sdk|csharp|plugin-host|^test.dotnet|msbuild|analysis/.test(path)) return 0;
      return /^test|^packages.server.test.(catalog|cli|runners|scaffold)/.test(path) ? 1 : 2;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@mortise\/mcp\/util$/, replacement: source('./packages/mcp/src/util/index.ts') },
      { find: /^@mortise\/mcp$/, replacement: source('./packages/mcp/src/index.ts') },
      { find: /^@mortise\/redact$/, replacement: source('./packages/redact/src/index.ts') },
      { find: /^@mortise\/plugin$/, replacement: source('./packages/plugin/src/index.ts') },
      { find: /^@mortise\/plugin\/runtime$/, replacement: source('./packages/plugin/src/runtime/index.ts') },
      { find: /^@mortise\/plugin\/testing$/, replacement: source('./packages/plugin/src/testing/index.ts') },
    ],
  },
  test: {
    // What is served is the bundle: it is made of what was built last, also where one file is tested alone.
    globalSetup: [
      './scripts/bundle.mjs',
      './test/support/end-compiler-servers.ts',
      './test/support/recorded-dotnet/differences.ts',
    ],
    setupFiles: ['./test/support/setup.ts'],
    include: ['packages/*/test/**/*.test.ts', 'examples/test/**/*.test.ts', 'test/**/*.test.ts'],
    // Against what hangs: on a machine with much other work a test takes ten times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: WAIT_MS } },
    // One more try on the machine of CI, which does other work too; a person sees every failure.
    retry: process.env.CI ? 1 : 0,
    pool: 'forks',
    // A process for each file would take a third of a second, and load the sources again.
    isolate: false,
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
});
