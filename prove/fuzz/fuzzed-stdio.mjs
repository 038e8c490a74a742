import { startProcess } from '../../bench/client/process.mjs';
import { open } from '../../bench/client/protocol.mjs';
import { answeredId, messageIn } from './messages.mjs';

/** A batch without an answer is given up after this time; whether its answers came too late is judged separately. */
const GIVE_UP_MS = 60_000;

/** A server over stdio that gets lines as they are, and whose answers are counted by their ids. */
export async function startFuzzedStdio(command, version, giveUpMs = GIVE_UP_MS) {
  const server = startProcess(command);
  const waiting = new Map();
  let rest = '';
  let onAnswer = () => {};
  let endError;
  server.ended.catch((error) => {
    endError = error;
    onAnswer();
  });
  const wrongLines = [];
  server.child.stdout.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const message = messageIn(line);
      if (message?.jsonrpc !== '2.0') wrongLines.push(line);
      if (message?.method !== undefined || message?.id === undefined) continue;
      if (waiting.get(message.id) > 1) waiting.set(message.id, waiting.get(message.id) - 1);
      else waiting.delete(message.id);
    }
    onAnswer();
  });

  /** Sends lines, and waits until each request with a usable id has its answer. */
  async function send(texts) {
    const lines = texts.flatMap((text) => text.split('\n'));
    for (const id of lines.map(answeredId)) if (id !== undefined) waiting.set(id, (waiting.get(id) ?? 0) + 1);
    for (const line of lines) waiting.delete(cancelledId(line));
    const startedAt = performance.now();
    server.child.stdin.write(`${lines.join('\n')}\n`);
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, giveUpMs);
      onAnswer = () => {
        if (waiting.size > 0 && endError === undefined) return;
        clearTimeout(timer);
        resolve();
      };
      onAnswer();
    });
    onAnswer = () => {};
    const unanswered = [...waiting.keys()];
    waiting.clear();
    return { ms: performance.now() - startedAt, unanswered, wrongLines: wrongLines.splice(0), error: endError };
  }

  async function request(method, params) {
    const { unanswered, error } = await send([JSON.stringify({ jsonrpc: '2.0', id: 'open', method, params })]);
    if (unanswered.length > 0) throw error ?? new Error(`${method} has no answer`);
  }
  await open({
    version,
    request,
    notify: (method) => server.child.stdin.write(`{"jsonrpc":"2.0","method":"${method}"}\n`),
  });
  return { pid: server.pid, send, stop: server.stop };
}

/** The request that this line cancels: it gets no answer. */
function cancelledId(line) {
  const { method, params } = messageIn(line) ?? {};
  return method === 'notifications/cancelled' ? params?.requestId : undefined;
}
