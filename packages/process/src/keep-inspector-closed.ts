/**
 * Keeps SIGUSR1 from opening Node's inspector. Node would open it on 127.0.0.1, where every user of the machine can run
 * code in this process. `--inspect` still opens the inspector.
 */
export function keepInspectorClosed(): void {
  process.on('SIGUSR1', () => {});
}
