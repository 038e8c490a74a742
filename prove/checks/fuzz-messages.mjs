import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SESSIONS, STATELESS } from '../../bench/client/protocol.mjs';
import { createWorkplace, freePort } from '../../bench/workplace.mjs';
import { startFuzzedHttp } from '../fuzz/fuzzed-http.mjs';
import { startFuzzedStdio } from '../fuzz/fuzzed-stdio.mjs';
import { createMessages, PLUGIN } from '../fuzz/messages.mjs';
import { generatedValues } from '../fuzz/mutate.mjs';
import { addHeapProbe } from '../heap.mjs';
import { createRandom } from '../random.mjs';

const COUNTS = { stdio: 150_000, http: 100_000 };
const SHORT_COUNT = 3_000;
const BATCH = 100;
const MAX_BATCH_MS = 1_000;
/** The heap may grow by this much, and by this much for each message: a leak of 1 KB a message is far above it. */
const HEAP_BYTES = 4 * 1024 * 1024;
const HEAP_BYTES_PER_MESSAGE = 100;
const PROXY = new URL('../faults/proxy.mjs', import.meta.url).pathname;
const LEAK = new URL('../faults/leak.mjs', import.meta.url).href;
/** As a share of the messages, where the heap is measured first. */
const WARM_UP = 1 / 4;
const LEAK_BYTES = 1024;
/** The planted leak keeps twice the limit in so many messages. */
const LEAK_COUNT = Math.ceil((2 * HEAP_BYTES) / ((1 - WARM_UP) * LEAK_BYTES - 2 * HEAP_BYTES_PER_MESSAGE));
const CONTROL_GIVE_UP_MS = 3_000;
/** What is planted, and what has to be found. */
const FAULTS = [
  { fault: ['drop', '10'], count: 5 * BATCH, giveUpMs: CONTROL_GIVE_UP_MS, expected: 'no answer to' },
  { fault: ['hang', '5'], count: BATCH, expected: 'messages took' },
  // The batch in which the server is killed can still have all of its answers.
  { fault: ['exit', '10'], count: 5 * BATCH, expected: 'the server has ended' },
  { preload: [LEAK], count: LEAK_COUNT, judgesTimes: false, expected: 'the heap grew' },
];

/** Mutated messages to a server, in batches. A failure has what repeats it: seed and batch. */
async function fuzz({ transport, version, count, seed, judgesTimes, signal, fault = [], preload = [], giveUpMs }) {
  const workplace = createWorkplace();
  const failures = [];
  const plugins = workplace.folder();
  writeFileSync(join(plugins, 'p.mjs'), PLUGIN);
  const http = transport === 'http' ? ['--http', '--port', `${await freePort()}`] : [];
  const command = workplace.mortise({ Plugins: { Directory: plugins } }, http);
  const heapOf = addHeapProbe(command);
  command.args = [...preload.map((module) => `--import=${module}`), ...command.args];
  if (fault.length > 0) command.args = [PROXY, ...fault, process.execPath, ...command.args];
  const server = await (transport === 'http' ? startFuzzedHttp : startFuzzedStdio)(command, version, giveUpMs);

  const generated = generatedValues(seed);
  const messagesOf = (batch) => {
    const next = createMessages(createRandom(seed * 1_000_003 + batch), { version, generated });
    return Array.from({ length: BATCH }, next);
  };
  const heap = () => (fault.length > 0 ? 0 : heapOf(server.pid));
  const batches = Math.ceil(count / BATCH);
  let batch = 0;
  let heapBefore;
  try {
    for (; batch < batches && failures.length < 20 && !signal?.aborted; batch++) {
      if (batch === Math.floor(batches * WARM_UP)) heapBefore = await heap();
      const { ms, unanswered, wrongLines, error } = await server.send(messagesOf(batch));
      // A machine that has other work is slow once; messages that take long take it again.
      const isSlow =
        judgesTimes && ms > MAX_BATCH_MS && !error && (await server.send(messagesOf(batch))).ms > MAX_BATCH_MS;
      const where = `${transport} ${version}, --seed ${seed}, batch ${batch}`;
      if (error) failures.push(`${where}: the server has ended: ${error.message}`);
      else for (const what of unanswered) failures.push(`${where}: no answer to ${JSON.stringify(what)}`);
      for (const line of wrongLines) failures.push(`${where}: not JSON-RPC: ${line.slice(0, 300)}`);
      if (isSlow) failures.push(`${where}: ${BATCH} messages took ${Math.round(ms)} ms`);
      if (error) break;
    }
    if (failures.length === 0) {
      const grown = (await heap()) - heapBefore;
      const limit = HEAP_BYTES + HEAP_BYTES_PER_MESSAGE * count;
      if (grown > limit) failures.push(`${transport} ${version}, --seed ${seed}: the heap grew by ${grown} bytes`);
      return { tried: batch * BATCH, failures, grown };
    }
    return { tried: batch * BATCH, failures };
  } finally {
    await server.stop();
    workplace.remove();
  }
}

export const fuzzMessages = {
  name: 'fuzz-messages',
  async missing() {
    return undefined;
  },
  async run({ seed, isShort, signal }) {
    const rows = [];
    for (const transport of ['stdio', 'http']) {
      for (const version of [SESSIONS, STATELESS]) {
        const count = isShort ? SHORT_COUNT : COUNTS[transport];
        rows.push({
          transport,
          version,
          ...(await fuzz({ transport, version, count, seed, judgesTimes: !isShort, signal })),
        });
      }
    }
    return {
      tried: rows.reduce((sum, { tried }) => sum + tried, 0),
      failures: rows.flatMap(({ failures }) => failures),
      notes: rows.map(({ transport, version, tried, grown }) => {
        return `${transport}, ${version}: ${tried} messages, the heap grew by ${Math.round((grown ?? 0) / 1024)} KB`;
      }),
    };
  },
  /** A dropped response, responses that are 2 s late, a server that ends, and a leak of 1 KB for each message. */
  async control({ seed, signal }) {
    const common = { transport: 'stdio', version: SESSIONS, seed, judgesTimes: true, signal };
    for (const { expected, ...fault } of FAULTS) {
      const { failures } = await fuzz({ ...common, ...fault });
      if (!failures.some((failure) => failure.includes(expected))) return false;
    }
    return true;
  },
};
