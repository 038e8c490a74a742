import type { JsonValue } from '../json.js';
import { isOwnFrame } from '../own-code.js';
import { parseBlocks } from './content-blocks.js';
import { deniedAccess } from './denied-access.js';
import { describeError, describeValue, isError } from './describe.js';
import { errorOutcome, failureOutcome } from './error-outcome.js';
import { failureDetailsOf } from './normalise.js';
import type { ErrorOutcome, OutcomeBlock, OutcomeError } from './outcome.js';
import { toJsonValue } from './to-json-value.js';

/**
 * Converts a value that a tool threw: to the failure of `fail()`, or to TOOL_EXCEPTION with the error's message. Never
 * throws.
 */
export function normaliseThrown(thrown: unknown): ErrorOutcome {
  try {
    return (typeof thrown === 'object' && thrown !== null && failureOf(thrown)) || exception(thrown);
  } catch {
    return errorOutcome('TOOL_EXCEPTION', `The tool threw ${describeValue(thrown)}`);
  }
}

function failureOf(thrown: object): ErrorOutcome | undefined {
  const details = failureDetailsOf(thrown);
  if (details === undefined) return undefined;
  const content: OutcomeBlock[] | undefined = 'content' in thrown ? parseBlocks(thrown.content) : undefined;
  return failureOutcome(details, content);
}

function exception(thrown: unknown): ErrorOutcome {
  const denied = deniedAccess(thrown);
  if (denied) return errorOutcome('PLUGIN_CONFINED', denied.message, { hint: denied.hint });
  return errorOutcome('TOOL_EXCEPTION', messageOf(thrown), { rawOutput: isError(thrown) ? ownFrames(thrown) : '' });
}

function messageOf(thrown: unknown): OutcomeError['message'] {
  if (isError(thrown)) return describeError(thrown);
  if (typeof thrown === 'string' && thrown.trim() !== '') return thrown;
  if (typeof thrown !== 'object' || thrown === null) {
    const isShort = typeof thrown === 'number' || typeof thrown === 'boolean' || typeof thrown === 'bigint';
    return `The tool threw ${isShort ? String(thrown) : describeValue(thrown)}`;
  }
  const { message } = thrown as { message?: unknown };
  if (typeof message === 'string' && message.trim() !== '') return message;
  return jsonOf(thrown) ?? `The tool threw ${describeValue(thrown)}`;
}

function jsonOf(thrown: object): { json: JsonValue } | undefined {
  try {
    const json = toJsonValue(thrown);
    return json === undefined ? undefined : { json };
  } catch {
    return undefined;
  }
}

const MAX_FRAMES = 8;
const MAX_STACK_CHARS = 4_000;
/**
 * The function that calls the code of plugins (run-call.ts). Frames below it belong to the program that runs the
 * plugin.
 */
const CALLER = /^\s+at (?:async )?runCall\b/;

/** The error's name and message, and its first stack frames that belong neither to Node.js nor to this package. */
function ownFrames(error: Error): string {
  const { stack } = error;
  if (typeof stack !== 'string') return '';
  const lines = stack.split('\n');
  const isFrame = (line: string) => /^\s+at /.test(line);
  const head = lines.slice(0, Math.max(1, lines.findIndex(isFrame)));
  const callAt = lines.findIndex((line) => CALLER.test(line) && isOwnFrame(line));
  const ofPlugin = callAt < 0 ? lines : lines.slice(0, callAt);
  const isForeign = (line: string) =>
    isFrame(line) && !isOwnFrame(line) && !/node:|at new Promise \(<anonymous>\)/.test(line);
  const frames = ofPlugin.filter(isForeign);
  return firstLines([...head, ...frames.slice(0, MAX_FRAMES)]);
}

/** Keeps whole lines only, because redaction does not recognise a partial secret. */
function firstLines(lines: readonly string[]): string {
  let text = '';
  for (const line of lines) {
    if (text.length + line.length >= MAX_STACK_CHARS) break;
    text += text === '' ? line : `\n${line}`;
  }
  return text;
}
