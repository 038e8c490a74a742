// Tools that return what shapes.mjs does not: log lines, audio, files, locks, coverage, data that breaks its schema.
import { fail } from '@mortise/plugin';

const EMPTY = { type: 'object', properties: {} };
/** 100 ms of silence. */
const WAV = `UklGRkQDAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YSADAACA${'gICA'.repeat(266)}`;

export function register(api) {
  api.registerTool({
    name: 'results.log',
    title: 'Log',
    description: 'Writes log lines until it is told to end.',
    inputSchema: { type: 'object', properties: { ask: { type: 'boolean', description: 'Ask before the end' } } },
    run: async ({ ask }, { logger, input }) => {
      logger.debug('opening the file');
      logger.warn('the file is <b>old</b>', { age: 12 });
      if (ask) await input.elicit('end', { message: 'End now?', schema: EMPTY });
      return { content: 'logged' };
    },
  });
  api.registerTool({
    name: 'results.media',
    title: 'Media',
    description: 'Returns audio, a file, an image that cannot be shown, and links.',
    inputSchema: EMPTY,
    run: () => ({
      content: [
        { type: 'audio', data: WAV, mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'results://report.bin', mimeType: 'application/zip', blob: 'AAECAw==' } },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'resource_link', uri: 'results://note', name: 'A note', description: 'Written by the tool' },
      ],
    }),
  });
  api.registerResource({
    uri: 'results://note',
    name: 'A note',
    mimeType: 'text/plain',
    read: () => 'The note itself.',
  });
  api.registerTool({
    name: 'results.locked',
    title: 'Locked',
    description: 'Fails because something else holds a lock.',
    inputSchema: EMPTY,
    run: () =>
      fail('Another build runs in /src/Shop', {
        errors: [
          {
            code: 'CONCURRENCY_CONFLICT',
            category: 'Concurrency',
            message: 'Another build runs in /src/Shop',
            hint: 'Wait for it, or stop it.',
            suggestedFixes: ['Wait', 'Stop the process 4711'],
            documentationUrl: 'https://example.invalid/locks',
            recommendedAction: { actionKind: 'RunCommand', description: 'Stop the process', command: 'kill 4711' },
          },
        ],
        lockInfo: { lockScope: 'project', lockKey: '/src/Shop/Shop.csproj', lockContended: true, lockWaitedMs: 1500 },
      }),
  });
  api.registerTool({
    name: 'results.tests',
    title: 'Test run',
    description: 'Returns what a test run returns, with coverage.',
    inputSchema: EMPTY,
    run: () => ({
      content: '9 passed',
      structuredContent: {
        passed: 9,
        failed: 0,
        skipped: 1,
        total: 10,
        durationMs: 2_500,
        assemblies: [
          { name: 'Shop.Tests', passed: 6, failed: 0, skipped: 1 },
          { name: 'Api.Tests', passed: 3, failed: 0, skipped: 0 },
        ],
        coverage: {
          lines: { covered: 81, total: 90, percent: 90 },
          branches: { covered: 5, total: 8, percent: 62.5 },
          files: [
            { file: 'src/Cart.cs', lines: { covered: 1, total: 4, percent: 25 } },
            {
              file: 'src/Order.cs',
              lines: { covered: 80, total: 86, percent: 93 },
              branches: { covered: 5, total: 8, percent: 62.5 },
            },
          ],
        },
      },
    }),
  });
  api.registerTool({
    name: 'results.mismatch',
    title: 'Mismatch',
    description: 'Returns data that its output schema refuses.',
    inputSchema: EMPTY,
    outputSchema: {
      type: 'object',
      properties: { rows: { type: 'array', items: { type: 'object', properties: { total: { type: 'integer' } } } } },
      required: ['rows'],
    },
    run: () => ({ content: 'three', structuredContent: { rows: [{ total: 1 }, { total: 'three' }] } }),
  });
}
