import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../bench/client/index.mjs';
import { SESSIONS } from '../../bench/client/protocol.mjs';
import { MORTISE } from '../../bench/workplace.mjs';
import { CONDITIONS, makePlace } from '../machine/conditions.mjs';

const CALLS = 200;
const SHORT_CALLS = 20;
const AT_A_TIME = 4;
const ANSWER_MS = 120_000;
const LOST_WRITE = new URL('../faults/lost-write.mjs', import.meta.url).href;
/** A stack trace, or a message of Node.js or V8 without an explanation of ours. */
const UNEXPLAINED = /\n\s+at \S|Uncaught|internal error/i;
const MIN_EXPLANATION_CHARS = 20;
const PLUGIN = `
export function register(api) {
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
  api.registerTool({ name: 'echo', description: 'd', inputSchema, run: ({ text }) => text });
}`;

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

function commandFor({ folder, audit }, { prefix = [], nodeArgs = [], env = {} }) {
  const temporary = join(folder, 'tmp');
  mkdirSync(join(folder, 'plugins'), { recursive: true });
  mkdirSync(temporary);
  writeFileSync(join(folder, 'plugins/p.mjs'), PLUGIN);
  const settings = {
    Plugins: { Directory: 'plugins' },
    Dotnet: { Enabled: false },
    Audit: { File: audit, Arguments: 'redacted', OnFailure: 'refuse' },
  };
  const config = join(folder, 'appsettings.json');
  writeFileSync(config, JSON.stringify(settings));
  const [file, ...args] = [...prefix, process.execPath, ...nodeArgs, MORTISE, 'serve', '--config', config];
  const all = { PATH: process.env.PATH, HOME: folder, TMPDIR: temporary, Plugins__StartWaitMs: '60000', ...env };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return { file, args, cwd: folder, env: Object.fromEntries(given) };
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
  const state = { acknowledged: new Set(), failures: [], refusals: new Set(), tried: 0 };
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

async function callOften(client, { state, calls }) {
  let left = calls;
  const work = async () => {
    while (left-- > 0) {
      const text = `text ${++state.tried}`;
      const call = client.request('tools/call', { name: 'echo', arguments: { text } });
      const answer = await Promise.race([call, sleep(ANSWER_MS, undefined, { ref: false })]);
      if (answer === undefined) throw new Error(`${text} has no answer`);
      const { result } = answer.message;
      const said = result?.content?.[0]?.text ?? JSON.stringify(answer.message);
      if (result && !result.isError && said === text) state.acknowledged.add(text);
      else if (isExplained(said)) state.refusals.add(said.split('\n')[0]);
      else state.failures.push(`an answer without an explanation: ${said}`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
}

const isExplained = (text) => text.length >= MIN_EXPLANATION_CHARS && !UNEXPLAINED.test(text);

function judged({ acknowledged, failures, refusals, tried }, { audit }) {
  // A clock that jumps to another day has the file put aside.
  const files = readdirSync(dirname(audit)).filter((name) => /^audit.*\.jsonl$/.test(name));
  const lines = files.flatMap((name) => readFileSync(join(dirname(audit), name), 'utf8').split('\n'));
  const written = new Set(lines.map(textOf));
  const lost = [...acknowledged].filter((text) => !written.has(text));
  if (lost.length > 0) failures.push(`${lost.length} acknowledged calls are not in the audit, such as '${lost[0]}'`);
  if (acknowledged.size === 0) failures.push(`no call succeeded: ${[...refusals]}`);
  const refused = refusals.size === 0 ? '' : `; refused: ${[...refusals].join(' | ')}`;
  return { failures, note: `${acknowledged.size} of ${tried} calls succeeded${refused}` };
}

/** The text of a call in a line. A full disk leaves the beginning of a line that is written again later. */
function textOf(line) {
  try {
    return JSON.parse(line).redactedArguments?.text;
  } catch {
    return undefined;
  }
}
