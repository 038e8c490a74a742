/**
 * Without a listener, Node answers SIGUSR1 by opening its inspector on 127.0.0.1, where every user of the machine can run
 * code in this process. `--inspect` still opens it.
 */
export function keepInspectorClosed(): void {
  process.on('SIGUSR1', () => {});
}
