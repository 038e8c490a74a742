import type { LogLevel } from '@mortise/plugin';
import type { InputRequest } from '@mortise/plugin/runtime';
import type { Caller } from '../../core/server-api.js';
import { fieldTexts } from '../../log/pretty-log.js';
import { SERVER } from '../../util/version.js';
import { CliError } from '../shared/cli-error.js';
import { onStopSignal } from '../shared/signals.js';
import type { Terminal } from '../shared/terminal.js';
import { askInTerminal, type QuestionOptions } from './ask-in-terminal.js';
import { preparedAnswer } from './prepared-answer.js';
import { createProgressLine, type ProgressLine } from './progress-line.js';

export interface TerminalCallerOptions {
  readonly terminal: Terminal;
  /** The log writes the lines of the call already. */
  readonly isLogged: boolean;
  /** Answers to questions of the tool, by the key of the question: a JSON object, or the one field of its form. */
  readonly answers: ReadonlyMap<string, string>;
}

/** Runs a request for the person at the terminal: progress and log on stderr, questions, Ctrl+C. */
export async function callFromTerminal<T>(
  options: TerminalCallerOptions,
  request: (caller: Caller) => Promise<T>,
): Promise<T> {
  const { terminal } = options;
  const cancel = new AbortController();
  const line = createProgressLine(terminal.stderr);
  const stopListening = onStopSignal(() => {
    line.clear();
    terminal.err('Cancelling. Press Ctrl+C again to quit immediately.');
    cancel.abort();
  });
  try {
    return await requestFromTerminal(cancel, line, options, request);
  } finally {
    stopListening();
    line.clear();
  }
}

/**
 * Runs a request whose questions the person at the terminal answers.
 * @param cancel fires for it, also when a question is interrupted
 * @throws CliError for an `--answer` that does not answer its question; the request is cancelled then
 */
export async function requestFromTerminal<T>(
  cancel: AbortController,
  line: ProgressLine,
  options: TerminalCallerOptions,
  request: (caller: Caller) => Promise<T>,
): Promise<T> {
  let wrongAnswer: CliError | undefined;
  const caller = createCaller(cancel, line, options, (error) => {
    wrongAnswer = error;
    cancel.abort();
  });
  const result = await request(caller);
  if (wrongAnswer) throw wrongAnswer;
  return result;
}

const VISIBLE_LEVELS: readonly LogLevel[] = ['info', 'warn', 'error'];

/** The person at the terminal as the caller of one request. */
function createCaller(
  cancel: AbortController,
  line: ProgressLine,
  options: TerminalCallerOptions,
  onWrongAnswer: (error: CliError) => void,
): Caller {
  const { terminal, isLogged, answers } = options;
  const { signal } = cancel;
  const caller: Caller = {
    signal,
    clientCapabilities: {},
    info: { client: SERVER, requestId: '1' },
    inputMode: 'ask',
    progress: line.show,
    log({ level, logger, message, fields = {} }) {
      if (isLogged || !VISIBLE_LEVELS.includes(level)) return;
      line.clear();
      const { line: fieldsLine, below } = fieldTexts(fields);
      terminal.err([`${level} ${logger}: ${[message, fieldsLine].filter(Boolean).join('  ')}`, ...below].join('\n'));
    },
  };
  if (!terminal.isInteractive && answers.size === 0) return caller;
  return {
    ...caller,
    clientCapabilities: { elicitation: { form: {}, url: {} } },
    completeElicitation() {
      line.clear();
      terminal.err('The page is done.');
    },
    async requestInput(requests) {
      line.clear();
      try {
        return await answersTo(requests, options, { terminal, signal, onInterrupt: () => cancel.abort() });
      } catch (error) {
        if (error instanceof CliError) onWrongAnswer(error);
        throw error;
      }
    },
  };
}

/** The answers that were given in advance, and those of the person. @throws CliError */
async function answersTo(
  requests: Record<string, InputRequest>,
  { terminal, answers }: TerminalCallerOptions,
  asked: QuestionOptions,
): Promise<Record<string, unknown>> {
  const given = Object.entries(requests).filter(([key]) => answers.has(key));
  const open = Object.entries(requests).filter(([key]) => !answers.has(key));
  if (open.length > 0 && !terminal.isInteractive) {
    const [key] = open[0]!;
    throw new CliError('usage', {
      message: `There is no answer to '${key}'.`,
      hint: `Give --answer ${key}=…, or run the command in a terminal.`,
    });
  }
  const prepared: [string, unknown][] = [];
  for (const [key, question] of given) {
    const { params } = question;
    prepared.push([key, await preparedAnswer(key, answers.get(key)!, question)]);
    // Who answers in advance opens the page all the same.
    if (params.mode === 'url') terminal.err(`${params.message}\n  ${params.url}`);
  }
  return {
    ...Object.fromEntries(prepared),
    ...(open.length > 0 && (await askInTerminal(Object.fromEntries(open), asked))),
  };
}

/** `--answer key=value`, repeated. @throws CliError for one without a key */
export function parseAnswers(pairs: readonly string[] = []): Map<string, string> {
  return new Map(
    pairs.map((pair): [string, string] => {
      const at = pair.indexOf('=');
      if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
      throw new CliError('usage', {
        message: `--answer '${pair}' is not key=value.`,
        hint: 'Write --answer <key>=<value>, with the key that the question of the tool has.',
      });
    }),
  );
}
