import { spawn } from 'node:child_process';
import { once } from 'node:events';

const DIAGNOSTIC_CHARS = 4000;
const STOP_MS = 10_000;

const running = new Set();

/** Stops every server that is still running. */
export async function stopAll() {
  await Promise.all([...running].map((server) => server.stop()));
}

/** A server process, of Node unless `file` is another program: its last words on stderr are kept, to explain a failure. */
export function startProcess({ file = process.execPath, args, env, cwd }) {
  const child = spawn(file, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let stderr = '';
  const watchers = new Set();
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr = (stderr + text).slice(-DIAGNOSTIC_CHARS);
    for (const watch of watchers) watch();
  });
  child.stdin.on('error', () => {});
  const ended = exited.then(([code, signal]) => {
    throw new Error(`The server ended (${signal ?? code}): ${args.join(' ')}\n${stderr}`);
  });
  ended.catch(() => {});

  const server = {
    child,
    pid: child.pid,
    /** Rejects when the process ends. */
    ended,
    /** The first match on stderr. */
    async seen(pattern) {
      let watch;
      const found = new Promise((resolve) => {
        watch = () => {
          const match = pattern.exec(stderr);
          if (match) resolve(match[0]);
        };
        watchers.add(watch);
        watch();
      });
      return Promise.race([found, ended]).finally(() => watchers.delete(watch));
    },
    /** SIGKILL ends what the signal and the end of its input do not. */
    async stop(signal = 'SIGTERM') {
      child.stdin.end();
      child.kill(signal);
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await exited;
      clearTimeout(timer);
    },
  };
  running.add(server);
  void exited.then(() => running.delete(server));
  return server;
}
