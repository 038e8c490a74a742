import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { startProcess } from '../client/process.mjs';
import { checkEcho, ECHO, paramsFor, STATELESS } from '../client/protocol.mjs';
import { median, quantile } from '../stats.mjs';
import { GOOD_PLUGINS } from '../workplace.mjs';

const WARM_UP_CALLS = 300;
const AT_ONCE = 16;
const CALLS_PER_SECOND = 20;
/** Both are measured in turns, because a machine is not equally busy all the time. The limit shows after a second. */
const TURN_MS = 1_500;
const TARGET_RATIO = 1.1;
const KEYS = { busy: 'key-of-the-principal-at-its-limit-001', other: 'key-of-another-principal-00000000001' };

export const limits = {
  name: 'limits',
  meanings: [
    [
      'a principal alone / beside one at its limit',
      `Echoes one after the other over HTTP with one key, alone; then while another key calls with ${AT_ONCE} calls in flight, of which \`Limits.CallsPerSecond\` lets ${CALLS_PER_SECOND} through in a second. It waits as RATE_LIMITED says.`,
    ],
  ],
  async run({ workplace, scale: { neighbours: scale } }) {
    const rounds = [];
    for (let round = 0; round < scale.rounds; round++) rounds.push(await measure(workplace, scale));
    const p50 = (when) => median(rounds.map((round) => quantile(round[when], 0.5)));
    const row = (measure, when) => ({ measure, way: `http ${STATELESS}`, unit: 'µs', values: { process: p50(when) } });
    return {
      rows: [row('a principal alone, p50', 'alone'), row('… beside one at its limit, p50', 'limited')],
      targets: [
        {
          ...{ target: 'a principal beside one at its limit', over: 'alone', unit: '× p50' },
          ...{ value: p50('limited') / p50('alone'), atMost: TARGET_RATIO },
        },
      ],
    };
  },
};

async function measure(workplace, { loadedMs }) {
  const Keys = [
    { Name: 'busy', Key: KEYS.busy, Limits: { CallsPerSecond: CALLS_PER_SECOND } },
    { Name: 'other', Key: KEYS.other },
  ];
  const settings = { Plugins: { Directory: GOOD_PLUGINS }, Auth: { Keys } };
  const server = startProcess(workplace.mortise(settings, ['--http', '--port', '0']));
  const url = new URL(await server.seen(/http:\/\/[^\s"]+\/mcp/));
  const other = caller(url, KEYS.other);
  for (let call = 0; call < WARM_UP_CALLS; call++) checkEcho(await other.echo());
  const [alone, limited] = [[], []];
  for (let turn = 0; turn < Math.ceil(loadedMs / TURN_MS); turn++) {
    alone.push(...(await other.echoesFor(TURN_MS)));
    limited.push(...(await besideLimited(url, () => other.echoesFor(TURN_MS))));
  }
  await server.stop();
  return { alone, limited };
}

/** Does the work while the other principal calls, which waits when it is refused, as it is told. */
async function besideLimited(url, work) {
  const busy = caller(url, KEYS.busy);
  let isOver = false;
  let refusals = 0;
  const calling = Array.from({ length: AT_ONCE }, async () => {
    while (!isOver) {
      const { message } = await busy.echo();
      const [error] = message.result.structuredContent?.errors ?? [];
      if (!error) continue;
      refusals += 1;
      await delay(Number(error.data.additionalData.retryAfterMs));
    }
  });
  const result = await work();
  isOver = true;
  await Promise.all(calling);
  if (refusals === 0) throw new Error('No call was limited');
  return result;
}

/** Calls with one key, over connections that stay open. */
function caller(url, key) {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: paramsFor(STATELESS, ECHO) });
  const headers = {
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    ...{ 'mcp-protocol-version': STATELESS, 'mcp-method': 'tools/call', 'mcp-name': ECHO.name },
    authorization: `Bearer ${key}`,
  };
  const echo = () => {
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const sent = httpRequest(url, { method: 'POST', agent, headers }, async (response) => {
        const text = Buffer.concat(await response.toArray()).toString();
        resolve({ us: (performance.now() - startedAt) * 1000, message: JSON.parse(text) });
      });
      sent.on('error', reject).end(body);
    });
  };
  return {
    echo,
    async echoesFor(ms) {
      const times = [];
      for (const endsAt = performance.now() + ms; performance.now() < endsAt; ) {
        const answer = await echo();
        checkEcho(answer);
        times.push(answer.us);
      }
      return times;
    },
  };
}
