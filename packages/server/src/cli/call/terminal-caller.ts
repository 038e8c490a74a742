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
  /** True if the log already writes the log lines of the call. */
  readonly isLogged: boolean;
  /** The texts of `--answer`, by the key of the question ({@link preparedAnswer}). */
  readonly answers: ReadonlyMap<string, string>;
}

/** Runs a request for the person at the terminal: shows progress and log on stderr, asks questions, handles Ctrl+C. */
export async function callFromTerminal<T>(
  options: TerminalCallerOptions,
  request: (caller: Caller) => Promise<T>,
): Promise<T> {
  const { terminal } = options;
  const controller = new AbortController();
  const line = createProgressLine(terminal.stderr);
  const stopListening = onStopSignal(() => {
    line.clear();
    terminal.err('Cancelling. Press Ctrl+C again to quit immediately.');
    controller.abort();
  });
  try {
    return await requestFromTerminal(controller, line, options, request);
  } finally {
    stopListening();
    line.clear();
  }
}

/**
 * Runs a request whose questions the person at the terminal answers.
 * @param controller cancels the request; it is aborted if the person interrupts a question
 * @throws CliError for an `--answer` that does not answer its question; the request is then cancelled
 */
export async function requestFromTerminal<T>(
  controller: AbortController,
  line: ProgressLine,
  options: TerminalCallerOptions,
  request: (caller: Caller) => Promise<T>,
): Promise<T> {
  let wrongAnswer: CliError | undefined;
  const caller = createCaller(controller, line, options, (error) => {
    wrongAnswer = error;
    controller.abort();
  });
  const result = await request(caller);
  if (wrongAnswer) throw wrongAnswer;
  return result;
}

const VISIBLE_LEVELS: readonly LogLevel[] = ['info', 'warn', 'error'];

/** Creates a caller for one request that stands for the person at the terminal. */
function createCaller(
  controller: AbortController,
  line: ProgressLine,
  options: TerminalCallerOptions,
  onWrongAnswer: (error: CliError) => void,
): Caller {
  const { terminal, isLogged, answers } = options;
  const { signal } = controller;
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
        return await answersTo(requests, options, { terminal, signal, onInterrupt: () => controller.abort() });
      } catch (error) {
        if (error instanceof CliError) onWrongAnswer(error);
        throw error;
      }
    },
  };
}

/**
 * Answers each question with its `--answer`, or asks the person.
 * @throws CliError if an `--answer` is wrong, or missing without a terminal
 */
async function answersTo(
  requests: Record<string, InputRequest>,
  { terminal, answers }: TerminalCallerOptions,
  questionOptions: QuestionOptions,
): Promise<Record<string, unknown>> {
  const answeredRequests = Object.entries(requests).filter(([key]) => answers.has(key));
  const openRequests = Object.entries(requests).filter(([key]) => !answers.has(key));
  if (openRequests.length > 0 && !terminal.isInteractive) {
    const [key] = openRequests[0]!;
    throw new CliError('usage', {
      message: `There is no answer to '${key}'.`,
      hint: `Give --answer ${key}=…, or run the command in a terminal.`,
    });
  }
  const preparedAnswers: [string, unknown][] = [];
  for (const [key, question] of answeredRequests) {
    const { params } = question;
    preparedAnswers.push([key, await preparedAnswer(key, answers.get(key)!, question)]);
    // A person who accepts a page with --answer still has to open it.
    if (params.mode === 'url') terminal.err(`${params.message}\n  ${params.url}`);
  }
  return {
    ...Object.fromEntries(preparedAnswers),
    ...(openRequests.length > 0 && (await askInTerminal(Object.fromEntries(openRequests), questionOptions))),
  };
}

/** Parses the values of all `--answer key=value`. @throws CliError for a value without a key */
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
