// Repairs a .NET project by codes, hints and next actions alone: it reads no sentence and knows no code of MSBuild.
import { setTimeout as delay } from 'node:timers/promises';
import { isRetryable, nextCall, parseResult } from '@mortise/plugin/contract';

/** More steps than any repair needs; it ends what goes round in circles. */
const MAX_STEPS = 20;

const actionOf = ({ name, arguments: args }) => `${name} ${args.action}`;

/**
 * Makes a call until it succeeds, and before that whatever its errors recommend.
 * @param client of MCP, connected to Mortise
 * @param goal the call that shall succeed: `{ name, arguments }`
 * @param {(call, result) => void} onStep hears of each call with its parsed result
 * @returns the parsed result of the goal
 * @throws Error with code and hint, if a person has to act
 */
export async function repair(client, goal, onStep = () => {}) {
  // The goal, then what has to be done before it. The last one is next.
  const open = [goal];
  const made = new Set();
  for (let step = 0; step < MAX_STEPS; step++) {
    const call = open.at(-1);
    const result = parseResult(await client.callTool(call));
    onStep(call, result);
    if (result.ok) {
      open.pop();
      if (open.length === 0) return result;
      continue;
    }
    const wait = isRetryable(result);
    if (wait) {
      await delay(wait.afterMs);
      continue;
    }
    const next = nextCall(result);
    const [{ code, hint }] = result.errors;
    // The same advice for the same error a second time does not help.
    const advice = JSON.stringify([call, code, next]);
    if (next === undefined || made.has(advice)) throw new Error(`${actionOf(call)} failed with ${code}. ${hint ?? ''}`);
    made.add(advice);
    // Either the same call, corrected, or one that has to come first.
    if (actionOf(next) === actionOf(call)) open[open.length - 1] = next;
    else open.push(next);
  }
  throw new Error(`${actionOf(goal)} did not succeed in ${MAX_STEPS} steps.`);
}
