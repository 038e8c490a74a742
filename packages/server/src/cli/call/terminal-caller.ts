import type { ElicitAnswer, JsonSchema, LogLevel } from '@mortise/plugin';
import type { InputRequest } from '@mortise/plugin/runtime';
import type { Caller } from '../../core/server-api.js';
import { fieldTexts } from '../../logging/pretty-log.js';
import { SERVER } from '../../util/version.js';
import { CliError } from '../shared/cli-error.js';
import { onStopSignal } from '../shared/signals.js';
import type { Terminal } from '../shared/terminal.js';
import { askInTerminal, pageAction } from './ask-in-terminal.js';
import { fieldsOf, parseField } from './elicitation-form.js';
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
    return await request(createCaller(cancel, line, options));
  } finally {
    stopListening();
    line.clear();
  }
}

const VISIBLE_LEVELS: readonly LogLevel[] = ['info', 'warn', 'error'];

/** The person at the terminal as the caller of one request. @param cancel fires for it, also when a question is interrupted */
export function createCaller(cancel: AbortController, line: ProgressLine, options: TerminalCallerOptions): Caller {
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
      const given = Object.entries(requests).filter(([key]) => answers.has(key));
      const open = Object.entries(requests).filter(([key]) => !answers.has(key));
      if (open.length > 0 && !terminal.isInteractive)
        throw new Error(`There is no answer to '${open[0]![0]}': give --answer ${open[0]![0]}=…`);
      // Who answers in advance opens the page all the same.
      for (const [, { params }] of given) if (params.mode === 'url') terminal.err(`${params.message}\n  ${params.url}`);
      const asked = { terminal, signal, onInterrupt: () => cancel.abort() };
      return {
        ...Object.fromEntries(given.map(([key, question]) => [key, toAnswer(key, answers.get(key)!, question)])),
        ...(open.length > 0 && (await askInTerminal(Object.fromEntries(open), asked))),
      };
    },
  };
}

/** @throws Error where the text does not answer the question */
function toAnswer(key: string, text: string, { method, params }: InputRequest): ElicitAnswer {
  if (method !== 'elicitation/create') throw new Error(`A command line cannot answer ${method}`);
  if (params.mode === 'url') {
    const action = pageAction(text);
    if (action === undefined)
      throw new Error(`--answer ${key} must be accept, decline or cancel: the question is for a page`);
    return { action };
  }
  if (text.trimStart().startsWith('{'))
    return { action: 'accept', content: JSON.parse(text) as Record<string, unknown> };
  const fields = fieldsOf(params.requestedSchema as JsonSchema);
  const [field, ...others] = fields;
  if (field === undefined) return { action: 'accept', content: {} };
  if (others.length > 0) {
    const names = fields.map(({ name }) => name).join(', ');
    throw new Error(`--answer ${key} must be a JSON object: the question has the fields ${names}`);
  }
  const read = parseField(field, text);
  if ('problem' in read) throw new Error(`--answer ${key}: ${read.problem}`);
  return { action: 'accept', content: { [field.name]: read.value } };
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
