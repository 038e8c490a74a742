import { writeSync } from 'node:fs';

export function register(api) {
  api.registerTool({
    name: 'print',
    description: 'Writes to the standard output without end.',
    inputSchema: { type: 'object' },
    timeoutMs: 1000,
    run() {
      const lines = '{"jsonrpc":"2.0","id":1,"result":{}}\n'.repeat(1000);
      for (;;) {
        try {
          writeSync(1, lines);
        } catch (error) {
          if (error.code !== 'EAGAIN') throw error;
        }
      }
    },
  });
}
