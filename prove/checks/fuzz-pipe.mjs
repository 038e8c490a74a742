import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../bench/client/index.mjs';
import { checkEcho, ECHO, SESSIONS } from '../../bench/client/protocol.mjs';
import { createWorkplace, GOOD_PLUGINS } from '../../bench/workplace.mjs';
import { generatedValues } from '../fuzz/mutate.mjs';

const COUNT = 200_000;
const SHORT_COUNT = 2_000;
/** After each batch the plugin has a new process, because the server refuses the last message. */
const BATCH = 1_000;
const MAX_MS = 1_000;
const GIVE_UP_MS = 60_000;
const PROXY = new URL('../faults/proxy.mjs', import.meta.url).pathname;
/** A response that is lost, responses that are 2 s late, and a server that ends; and what has to be found. */
const FAULTS = [
  { fault: ['drop', '3'], count: 3 * BATCH, giveUpMs: 5_000, expected: 'no answer of' },
  { fault: ['hang', '1'], count: BATCH, expected: 'the other plugin took' },
  { fault: ['exit', '3'], count: 3 * BATCH, expected: 'The server ended' },
];
const PLUGIN = new URL('../fuzz/pipe-plugin.mjs', import.meta.url).href;

const hostile = (values) => `
import { readFileSync } from 'node:fs';
import * as plugin from ${JSON.stringify(PLUGIN)};
export const register = (api) => plugin.register(api, JSON.parse(readFileSync(${JSON.stringify(values)}, 'utf8')));
`;

/** A plugin writes mutated messages into its pipe. Its calls get an answer, and another plugin answers meanwhile. */
async function fuzz({ seed, count, judgesTimes, signal, fault = [], giveUpMs = GIVE_UP_MS }) {
  const workplace = createWorkplace();
  const plugins = workplace.folder();
  const values = join(workplace.folder(), 'generated.json');
  writeFileSync(values, JSON.stringify(generatedValues(seed)));
  writeFileSync(join(plugins, 'hostile.mjs'), hostile(values));
  const command = workplace.mortise({ Plugins: { Directory: [plugins, GOOD_PLUGINS] } });
  if (fault.length > 0) command.args = [PROXY, ...fault, process.execPath, ...command.args];
  const client = await connect(command, { version: SESSIONS });
  const call = async (params) => {
    const answer = await Promise.race([
      client.request('tools/call', params),
      sleep(giveUpMs, undefined, { ref: false }),
    ]);
    if (answer === undefined) throw new Error(`no answer of ${params.name} within ${giveUpMs} ms`);
    return answer;
  };
  const failures = [];
  let tried = 0;
  let crashes = 0;
  /** @returns the time of a call of the other plugin */
  const sendBatch = async (batch) => {
    const hostile = call({ name: 'fuzz', arguments: { seed: seed * 1_000_003 + batch, count: BATCH } });
    hostile.catch(() => {});
    const good = await call(ECHO);
    checkEcho(good);
    const { message } = await hostile;
    if (message.result?.isError) crashes += 1;
    return good.ms;
  };
  try {
    for (let batch = 0; tried < count && failures.length < 20 && !signal?.aborted; batch++) {
      const where = `--seed ${seed}, batch ${batch}`;
      try {
        const ms = await sendBatch(batch);
        // A machine that has other work is slow once; messages that take long take it again.
        const isSlow = judgesTimes && ms > MAX_MS && (await sendBatch(batch)) > MAX_MS;
        if (isSlow) failures.push(`${where}: the other plugin took ${Math.round(ms)} ms`);
      } catch (error) {
        failures.push(`${where}: ${error.message}`);
      }
      tried += BATCH;
    }
    return {
      tried,
      failures,
      notes: [
        `${crashes} of ${tried / BATCH} calls failed, because a message was refused; what the parser refuses is not sent`,
      ],
    };
  } finally {
    await client.stop();
    workplace.remove();
  }
}

export const fuzzPipe = {
  name: 'fuzz-pipe',
  async missing() {
    return undefined;
  },
  run({ seed, isShort, signal }) {
    return fuzz({ seed, count: isShort ? SHORT_COUNT : COUNT, judgesTimes: !isShort, signal });
  },
  async control({ seed, signal }) {
    for (const { expected, ...fault } of FAULTS) {
      const { failures } = await fuzz({ seed, judgesTimes: true, signal, ...fault });
      if (!failures.some((failure) => failure.includes(expected))) return false;
    }
    return true;
  },
};
