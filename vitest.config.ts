import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type InlineConfig, type TestSpecification } from 'vitest/node';
import { TESTED_SOURCES } from './scripts/bundle.mjs';
import { WAIT_MS } from './test/support/wait-for.ts';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What takes longest begins first, so that nothing runs alone at the end: builds of .NET projects, then servers, then modules. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const path = relative(source('.'), moduleId);
      if (/sdk|csharp|plugin-host|^test.dotnet|msbuild|analysis/.test(path)) return 0;
      return /^test|^packages.server.test.(plugins.catalog|cli|run)/.test(path) ? 1 : 2;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

const folders = ['packages/*/test', 'examples/test', 'test'];
const filesNamed = (pattern: string) => folders.map((folder) => `${folder}/**/${pattern}`);

/** A tier of the tests (CONTRIBUTING.md). */
const tier = (name: 'fast' | 'slow', files: Pick<InlineConfig, 'include' | 'exclude'>, retry = 0) => ({
  resolve: {
    alias: [
      ...Object.entries(TESTED_SOURCES).map(([find, replacement]) => ({ find: new RegExp(`^${find}$`), replacement })),
      // As the page is built (packages/workbench/vite.config.mjs).
      { find: /^mortise\/core\/(.*)$/, replacement: source('packages/server/src/core/$1.ts') },
    ],
  },
  test: {
    name,
    ...files,
    retry,
    env: { MORTISE_TEST_TIER: name },
    setupFiles: ['./test/support/setup.ts'],
    // The only limit on time. On a machine that is busy with other work a test takes ten times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: WAIT_MS } },
    pool: 'forks' as const,
    // Starting a process for each file would take a third of a second, and load the sources again.
    isolate: false,
  },
});

export default defineConfig({
  test: {
    // Tests start what was built, so it is built first, also for a single file.
    globalSetup: [
      './test/support/run-folder.ts',
      './scripts/compile.mjs',
      './scripts/bundle.mjs',
      './test/support/end-compiler-servers.ts',
      './test/support/recorded-dotnet/differences.ts',
      './test/support/contract-counts.ts',
    ],
    reporters: [
      'default',
      './test/support/retried-reporter.ts',
      ...(process.env.TEST_REPORT ? [['json', { outputFile: process.env.TEST_REPORT }] as ['json', object]] : []),
    ],
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // `*.recorded.test.ts` is in both: with recorded commands of the .NET SDK, and with the real ones.
    projects: [
      tier('fast', { include: filesNamed('*.test.ts'), exclude: filesNamed('*.slow.test.ts') }),
      tier('slow', { include: [...filesNamed('*.slow.test.ts'), ...filesNamed('*.recorded.test.ts')] }, 1),
    ],
  },
});
