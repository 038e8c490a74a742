export function register(api) {
  api.registerTool({
    name: 'loop',
    description: 'Never ends, and answers nothing meanwhile.',
    inputSchema: { type: 'object' },
    timeoutMs: 500,
    run() {
      for (;;);
    },
  });
}
