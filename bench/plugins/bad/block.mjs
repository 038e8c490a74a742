import { execFileSync } from 'node:child_process';

export function register(api) {
  api.registerTool({
    name: 'block',
    description: 'Waits in a system call.',
    inputSchema: { type: 'object' },
    timeoutMs: 500,
    run: () => execFileSync(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { encoding: 'utf8' }),
  });
}
