import { createInterface, type Interface } from 'node:readline/promises';
import type { ElicitAnswer, JsonSchema } from '@mortise/plugin';
import type { InputRequest } from '@mortise/plugin/runtime';
import type { Terminal } from '../shared/terminal.js';
import { type Field, fieldsOf, parseField } from './elicitation-form.js';

export interface QuestionOptions {
  readonly terminal: Terminal;
  /** Ends the questions when the call ends. */
  readonly signal: AbortSignal;
  /** Ctrl+C while a question is open. */
  onInterrupt(): void;
}

/**
 * Puts a tool's questions to the person at the terminal, one field after the other, on stderr. Ctrl+D cancels a form.
 * @returns the answers by key, as MCP's `elicitation/create` has them
 */
export async function askInTerminal(
  requests: Record<string, InputRequest>,
  options: QuestionOptions,
): Promise<Record<string, ElicitAnswer>> {
  const answers: Record<string, ElicitAnswer> = {};
  for (const [key, { method, params }] of Object.entries(requests)) {
    if (method !== 'elicitation/create') throw new Error(`A command line cannot answer ${method}`);
    answers[key] = await askForm(String(params.message ?? ''), params.requestedSchema as JsonSchema, options);
  }
  return answers;
}

async function askForm(
  message: string,
  schema: JsonSchema,
  { terminal, signal, onInterrupt }: QuestionOptions,
): Promise<ElicitAnswer> {
  const { stdin, stderr, style } = terminal;
  const lines = createInterface({ input: stdin, output: stderr, terminal: true });
  const closed = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  const close = () => lines.close();
  lines.on('SIGINT', () => {
    lines.close();
    onInterrupt();
  });
  signal.addEventListener('abort', close, { once: true });
  try {
    terminal.err(`${style.bold(message)}  ${style.dim('(Ctrl+D cancels)')}`);
    const content: Record<string, unknown> = {};
    for (const field of fieldsOf(schema)) {
      const read = await askField(
        field,
        (prompt) => Promise.race([lines.question(terminal.style.render(prompt)), closed]),
        terminal,
      );
      if (read === undefined) {
        terminal.err('');
        return { action: 'cancel' };
      }
      if (read.value !== undefined) content[field.name] = read.value;
    }
    return { action: 'accept', content };
  } finally {
    signal.removeEventListener('abort', close);
    lines.close();
  }
}

/** Asks until the answer fits; undefined when the person wants no more of it. */
async function askField(
  field: Field,
  ask: (prompt: string) => ReturnType<Interface['question']> | Promise<string | undefined>,
  terminal: Terminal,
): Promise<{ value: unknown } | undefined> {
  for (;;) {
    const text = await ask(`  ${field.prompt}: `);
    if (text === undefined) return undefined;
    const read = parseField(field, text);
    if ('value' in read) return read;
    terminal.err(`    ${read.problem}`);
  }
}
