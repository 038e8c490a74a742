export function register(api) {
  api.registerTool({
    name: 'kill',
    description: 'Kills its process.',
    inputSchema: { type: 'object' },
    run() {
      process.kill(process.pid, 'SIGKILL');
      return new Promise(() => {});
    },
  });
}
