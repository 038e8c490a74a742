import { isDeepStrictEqual } from 'node:util';
import type { CallOptions, TestAnswer } from './call-options.js';
import type { TestPlugin } from './open-plugin.js';

export interface InputTrial {
  tool: string;
  args: object | null;
  options: CallOptions;
  /** Opens a freshly loaded plugin, so that calls do not share state. */
  open(): Promise<TestPlugin>;
}

/**
 * Compares the result of a call with the result if the tool runs again from its start after each answer, as with
 * protocol 2026-07-28.
 * @returns the rest of a sentence that begins with "A call with …"; undefined if the tool asks nothing, if the results
 * are the same, or if the result varies even between two calls in the same mode
 */
export async function inputDifference(trial: InputTrial): Promise<string | undefined> {
  const asked = await resultOf(trial, 'ask');
  if (asked.questions === 0) return undefined;
  const retried = await resultOf(trial, 'retry');
  if (isDeepStrictEqual(asked.result, retried.result)) return undefined;
  const again = await resultOf(trial, 'ask');
  if (!isDeepStrictEqual(asked.result, again.result)) return undefined;
  return `returned ${quoted(asked)} when its questions were answered during the call, but ${quoted(retried)} when it ran again from its start with the answers. Move effects after the last question, or into context.once.`;
}

interface InputResult {
  questions: number;
  result: { isError: boolean; text: string; structured?: unknown };
}

async function resultOf({ tool, args, options, open }: InputTrial, inputMode: 'ask' | 'retry'): Promise<InputResult> {
  let questions = 0;
  const count = (answer: TestAnswer) => (params: Record<string, unknown>) => {
    questions += 1;
    return typeof answer === 'function' ? answer(params) : answer;
  };
  const answers = Object.fromEntries(
    Object.entries(options.answers ?? {}).map(([key, answer]) => [key, count(answer)]),
  );
  const plugin = await open();
  try {
    const { isError, text, structured } = await plugin.callTool(tool, args, { ...options, answers, inputMode });
    return { questions, result: { isError, text, structured } };
  } finally {
    await plugin.dispose();
  }
}

const MAX_QUOTED_CHARS = 100;

function quoted({ result: { text } }: InputResult): string {
  return JSON.stringify(text.length <= MAX_QUOTED_CHARS ? text : `${text.slice(0, MAX_QUOTED_CHARS)}…`);
}
