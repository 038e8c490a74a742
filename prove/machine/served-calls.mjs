import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MORTISE } from '../../bench/workplace.mjs';

/** A call without an answer is given up after this time. */
export const ANSWER_MS = 120_000;
const AT_A_TIME = 4;
/** A stack trace, or a message of Node.js or V8 without an explanation of ours. */
const UNEXPLAINED = /\n\s+at \S|Uncaught|internal error/i;
const MIN_EXPLANATION_CHARS = 20;
const PLUGIN = `
export function register(api) {
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
  api.registerTool({ name: 'echo', description: 'd', inputSchema, run: ({ text }) => text });
}`;

/** What is known of the calls of a server. */
export const newState = () => ({ acknowledged: new Set(), failures: [], refusals: new Set(), tried: 0 });

/** The command of a server with an audit, in a folder that is filled with what it needs. */
export function commandFor({ folder, audit }, { prefix = [], nodeArgs = [], env = {}, onFailure = 'refuse' }) {
  const temporary = join(folder, 'tmp');
  mkdirSync(join(folder, 'plugins'), { recursive: true });
  mkdirSync(temporary);
  writeFileSync(join(folder, 'plugins/p.mjs'), PLUGIN);
  const settings = {
    Plugins: { Directory: 'plugins' },
    Dotnet: { Enabled: false },
    Audit: { File: audit, Arguments: 'redacted', OnFailure: onFailure },
  };
  const config = join(folder, 'appsettings.json');
  writeFileSync(config, JSON.stringify(settings));
  const [file, ...args] = [...prefix, process.execPath, ...nodeArgs, MORTISE, 'serve', '--config', config];
  const all = { PATH: process.env.PATH, HOME: folder, TMPDIR: temporary, Plugins__StartWaitMs: '60000', ...env };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return { file, args, cwd: folder, env: Object.fromEntries(given) };
}

/** Calls a tool, some calls at a time. Each has to have an answer, which is its text or an explanation. */
export async function callOften(client, { state, calls }) {
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

/** True if a text says more than that something went wrong, and is no stack trace. */
export const isExplained = (text) => text.length >= MIN_EXPLANATION_CHARS && !UNEXPLAINED.test(text);

/** The texts of the calls in the audit. A clock that jumps to another day has the file put aside. */
export function auditedTexts(audit) {
  const files = readdirSync(dirname(audit)).filter((name) => /^audit.*\.jsonl$/.test(name));
  return new Set(files.flatMap((name) => readFileSync(join(dirname(audit), name), 'utf8').split('\n')).map(textOf));
}

/** The text of a call in a line. A full disk leaves the beginning of a line that is written again later. */
function textOf(line) {
  try {
    return JSON.parse(line).redactedArguments?.text;
  } catch {
    return undefined;
  }
}
