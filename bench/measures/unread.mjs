import { connect } from '../client/index.mjs';
import { checkEcho, ECHOES } from '../client/protocol.mjs';
import { canMeasure, usageOf } from '../processes.mjs';
import { commandOf, WAYS } from '../servers.mjs';

const NAMES = ['bareSdk', 'inProcess'];
/** Over HTTP each call costs more time, and the buffers of one connection are full earlier. */
const CALLS = { stdio: 100_000, http: 40_000 };
const MOST_MB = 64;
/** So many calls leave the server with the memory that it needs for calls that are read. */
const WARM_UP_CALLS = { stdio: 50_000, http: 10_000 };
const IN_FLIGHT = 64;
const SAMPLE_MS = 50;
/** A server that used less processor time since it was looked at last, so many times in a row, is waiting. */
const WAITING_CPU_US = 20_000;
const WAITING_TIMES = 4;
/** Mortise refuses calls beyond those that it runs and queues: that is an answer too. */
const CALLS_OF_ECHO = { ...ECHOES, check: ({ message }) => message.result.isError || checkEcho({ message }) };
const TITLE = 'memory of calls that are not read';

export const unread = {
  name: 'unread',
  table: 'transports',
  meanings: [
    [
      TITLE,
      `A client sends ${CALLS.stdio.toLocaleString('en-US')} of them over stdio, ${CALLS.http.toLocaleString('en-US')} on one connection over HTTP without waiting for the response to the one before, and reads nothing until the server has answered all of them or waits; then it reads all responses. Mortise answers calls beyond those that it runs and queues with TOOL_BUSY. By how much the resident memory of the server exceeds, at most, what it was before; then how many calls the server had taken from the client when the first response was read.`,
    ],
  ],
  async run({ workplace }) {
    if (!canMeasure)
      return { notes: ['unread: not measured, this system does not tell how much memory a process uses.'] };
    const rows = [];
    const targets = [];
    for (const way of WAYS) {
      const growthMb = {};
      const taken = {};
      for (const name of NAMES)
        ({ growthMb: growthMb[name], taken: taken[name] } = await measure(workplace, name, way));
      rows.push({ measure: TITLE, way: way.title, unit: 'MB', values: growthMb });
      rows.push({ measure: '… taken unread', way: way.title, unit: 'calls', values: taken });
      const target = { target: `${TITLE}, ${way.title}`, of: 'inProcess', unit: 'MB', atMost: MOST_MB };
      targets.push({ ...target, value: growthMb.inProcess });
    }
    return { rows, targets };
  },
};

async function measure(workplace, name, way) {
  const client = await connect(await commandOf(name, workplace, way), way);
  await client.pump(ECHOES, { inFlight: IN_FLIGHT, calls: WARM_UP_CALLS[way.transport] });
  const rssMb = () => usageOf(client.pid).self.rssMb;
  const beforeMb = rssMb();
  let mostMb = beforeMb;
  const sampler = setInterval(() => {
    mostMb = Math.max(mostMb, rssMb());
  }, SAMPLE_MS);
  try {
    const taken = await client.sendUnread(CALLS_OF_ECHO, {
      calls: CALLS[way.transport],
      isSettled: settledAfter(client.pid),
    });
    return { growthMb: mostMb - beforeMb, taken };
  } finally {
    clearInterval(sampler);
    await client.stop();
  }
}

/** Whether nothing was sent for a while, and the server did nothing. */
function settledAfter(pid) {
  let last = { sent: 0, cpuUs: 0 };
  let times = 0;
  return (sent) => {
    const { cpuUs } = usageOf(pid).self;
    const isWaiting = sent === last.sent && cpuUs - last.cpuUs < WAITING_CPU_US;
    times = isWaiting ? times + 1 : 0;
    last = { sent, cpuUs };
    return times === WAITING_TIMES;
  };
}
