import { isDeepStrictEqual } from 'node:util';
import type { CallOptions, TestAnswer } from './call-options.js';
import type { TestPlugin } from './open-plugin.js';

/** One call that is made in both modes of input. */
export interface InputTrial {
  tool: string;
  args: object | null;
  options: CallOptions;
  /** The plugin as it is after loading: what one call changed must not reach the next. */
  open(): Promise<TestPlugin>;
}

/**
 * How the result of a call differs when the tool runs again from its start with the answers so far, as with protocol
 * 2026-07-28; undefined where it asks nothing, where the results are the same, or where two calls in one mode differ too.
 */
export async function inputDifference(trial: InputTrial): Promise<string | undefined> {
  const asked = await resultOf(trial, 'ask');
  if (asked.questions === 0) return undefined;
  const retried = await resultOf(trial, 'retry');
  if (isDeepStrictEqual(asked.result, retried.result)) return undefined;
  const again = await resultOf(trial, 'ask');
  if (!isDeepStrictEqual(asked.result, again.result)) return undefined;
  return `gave ${quoted(asked)} when its questions were answered at once, and ${quoted(retried)} when it ran again from its start with the answers. Have no effect before the last question.`;
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
