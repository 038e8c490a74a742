// Repairs a .NET project by codes, hints and next actions alone: it reads no sentence and knows no code of MSBuild.
import { setTimeout as delay } from 'node:timers/promises';
import { isRetryable, nextCall, parseResult } from '@mortise/plugin/contract';

/** No repair needs more steps. The limit ends a repair that goes round in circles. */
const MAX_STEPS = 20;

const actionOf = ({ name, arguments: args }) => `${name} ${args.action}`;

/**
 * Repeats a call until it succeeds, and makes the calls that its errors recommend in between.
 * @param client an MCP client that is connected to Mortise
 * @param goal the call that must succeed: `{ name, arguments }`
 * @param {(call, result) => void} onStep receives each call and its parsed result
 * @returns the parsed result of the goal
 * @throws Error with code and hint, if a person has to act
 */
export async function repair(client, goal, onStep = () => {}) {
  // The goal, followed by the calls that must succeed before it. The last call is made next.
  const openCalls = [goal];
  const triedAdvice = new Set();
  for (let step = 0; step < MAX_STEPS; step++) {
    const call = openCalls.at(-1);
    const result = parseResult(await client.callTool(call));
    onStep(call, result);
    if (result.ok) {
      openCalls.pop();
      if (openCalls.length === 0) return result;
      continue;
    }
    const wait = isRetryable(result);
    if (wait) {
      await delay(wait.afterMs);
      continue;
    }
    const next = nextCall(result);
    const [{ code, hint }] = result.errors;
    // It does not help to follow the same advice for the same error a second time.
    const advice = JSON.stringify([call, code, next]);
    if (next === undefined || triedAdvice.has(advice))
      throw new Error(`${actionOf(call)} failed with ${code}. ${hint ?? ''}`);
    triedAdvice.add(advice);
    // The advice is either the same call with other arguments, or a call that must succeed first.
    if (actionOf(next) === actionOf(call)) openCalls[openCalls.length - 1] = next;
    else openCalls.push(next);
  }
  throw new Error(`${actionOf(goal)} did not succeed in ${MAX_STEPS} steps.`);
}
