import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../bench/client/index.mjs';
import { SESSIONS } from '../../bench/client/protocol.mjs';
import { CONDITIONS, makePlace } from '../machine/conditions.mjs';
import { ANSWER_MS, auditedTexts, callOften, commandFor, isExplained, newState } from '../machine/served-calls.mjs';

const CALLS = 200;
const SHORT_CALLS = 20;
const LOST_WRITE = new URL('../faults/lost-write.mjs', import.meta.url).href;
/** A server on a machine that has too little of something: each call has an answer, and what was acknowledged is in the audit. */
export const machine = {
  name: 'machine',
  async missing() {
    return process.platform === 'linux' ? undefined : 'its conditions are made by means of Linux';
  },
  async run({ workplace, isShort, signal }) {
    const failures = [];
    const notes = [];
    let tried = 0;
    for (const condition of CONDITIONS) {
      if (signal?.aborted) break;
      const root = mkdtempSync(join(workplace, 'machine-'));
      const reason = condition.missing?.({ folder: root });
      if (reason !== undefined) {
        notes.push(`not run: ${condition.name}: ${reason}`);
        continue;
      }
      const result = await tryCondition(condition, { root, calls: isShort ? SHORT_CALLS : CALLS });
      tried += 1;
      failures.push(...result.failures.map((failure) => `${condition.name}: ${failure}`));
      notes.push(`${condition.name}: ${result.note}`);
    }
    return { tried, failures, notes };
  },
  /** A line of the audit is lost, though its write succeeded. */
  async control({ workplace }) {
    const condition = { name: 'control', prepare: () => ({ nodeArgs: [`--import=${LOST_WRITE}`] }) };
    const { failures } = await tryCondition(condition, { root: mkdtempSync(join(workplace, 'control-')), calls: 20 });
    return failures.length === 1 && failures[0].includes('not in the audit');
  },
};

async function tryCondition({ prepare, folderName, mayRefuse }, { root, calls }) {
  const place = makePlace(root, folderName);
  const condition = prepare(place);
  try {
    const command = commandFor(place, condition);
    condition.beforeStart?.();
    return await serve(command, { condition, place, calls, mayRefuse });
  } finally {
    condition.dispose?.();
  }
}

async function serve(command, { condition, place, calls, mayRefuse }) {
  let client;
  try {
    client = await connect(command, { version: SESSIONS });
  } catch (error) {
    const why = error.message.split('\n').slice(1).join('\n').trim();
    if (!mayRefuse || !isExplained(why)) return { failures: [`the server does not start: ${error.message}`] };
    return { failures: [], note: `the server does not start: ${why.slice(-200)}` };
  }
  const state = newState();
  try {
    await callOften(client, { state, calls });
    if (condition.impose) await imposed(client, { condition, state, calls });
  } catch (error) {
    state.failures.push(error.message);
  } finally {
    await client.stop();
  }
  return judged(state, place);
}

/** Calls while the condition is there, and until calls succeed again after its end. */
async function imposed(client, { condition, state, calls }) {
  await condition.impose(client);
  await callOften(client, { state, calls });
  await condition.relieve(client);
  const deadline = performance.now() + ANSWER_MS;
  for (;;) {
    const before = state.acknowledged.size;
    await callOften(client, { state, calls: 1 });
    if (state.acknowledged.size > before) break;
    if (performance.now() > deadline) throw new Error(`no call succeeds afterwards: ${[...state.refusals]}`);
    await sleep(100);
  }
  await callOften(client, { state, calls });
}

function judged({ acknowledged, failures, refusals, tried }, { audit }) {
  const written = auditedTexts(audit);
  const lost = [...acknowledged].filter((text) => !written.has(text));
  if (lost.length > 0) failures.push(`${lost.length} acknowledged calls are not in the audit, such as '${lost[0]}'`);
  if (acknowledged.size === 0) failures.push(`no call succeeded: ${[...refusals]}`);
  const refused = refusals.size === 0 ? '' : `; refused: ${[...refusals].join(' | ')}`;
  return { failures, note: `${acknowledged.size} of ${tried} calls succeeded${refused}` };
}
