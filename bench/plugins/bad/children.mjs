import { spawn } from 'node:child_process';

export function register(api) {
  api.registerTool({
    name: 'children',
    description: 'Starts a program that prints without end, and leaves it running.',
    inputSchema: { type: 'object' },
    timeoutMs: 1000,
    run: () =>
      new Promise(() => {
        spawn(process.execPath, ['-e', 'for (;;) console.log("x".repeat(1000))'], { stdio: 'inherit' });
      }),
  });
}
