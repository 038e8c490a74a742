import { createInterface } from 'node:readline/promises';
import type { JsonSchema } from '@mortise/plugin';
import type { InputRequest } from '@mortise/plugin/runtime';
import type { Terminal } from '../shared/terminal.js';
import { type Field, fieldsOf, parseField } from './elicitation-form.js';

/** An answer as a client sends it: not checked yet. */
export interface ClientAnswer {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, unknown>;
}

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
): Promise<Record<string, ClientAnswer>> {
  const answers: Record<string, ClientAnswer> = {};
  for (const [key, { method, params }] of Object.entries(requests)) {
    if (method !== 'elicitation/create') throw new Error(`A command line cannot answer ${method}`);
    const { message = '', mode, url, requestedSchema } = params;
    options.terminal.err(
      `${options.terminal.style.bold(String(message))}  ${options.terminal.style.dim('(Ctrl+D cancels)')}`,
    );
    answers[key] = await withLines(options, (ask) =>
      mode === 'url'
        ? askForPage(String(url), ask, options.terminal)
        : askForm(requestedSchema as JsonSchema, ask, options.terminal),
    );
  }
  return answers;
}

/** Gives the line that the person types; undefined when they want no more of it. */
type Ask = (prompt: string) => Promise<string | undefined>;

async function withLines(
  { terminal, signal, onInterrupt }: QuestionOptions,
  work: (ask: Ask) => Promise<ClientAnswer>,
): Promise<ClientAnswer> {
  const { stdin, stderr } = terminal;
  const lines = createInterface({ input: stdin, output: stderr, terminal: true });
  const closed = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  const close = () => lines.close();
  lines.on('SIGINT', () => {
    lines.close();
    onInterrupt();
  });
  signal.addEventListener('abort', close, { once: true });
  try {
    return await work((prompt) => Promise.race([lines.question(terminal.style.render(prompt)), closed]));
  } finally {
    signal.removeEventListener('abort', close);
    lines.close();
  }
}

async function askForm(schema: JsonSchema, ask: Ask, terminal: Terminal): Promise<ClientAnswer> {
  const content: Record<string, unknown> = {};
  for (const field of fieldsOf(schema)) {
    const read = await askField(field, ask, terminal);
    if (read === undefined) {
      terminal.err('');
      return { action: 'cancel' };
    }
    if (read.value !== undefined) content[field.name] = read.value;
  }
  return { action: 'accept', content };
}

/** Shows the URL. It is the person who opens it, so that no one else decides what their browser does. */
async function askForPage(url: string, ask: Ask, terminal: Terminal): Promise<ClientAnswer> {
  terminal.err(`  ${url}`);
  for (;;) {
    const text = await ask('  Open this page? (accept or decline): ');
    if (text === undefined) {
      terminal.err('');
      return { action: 'cancel' };
    }
    const action = pageAction(text);
    if (action !== undefined) return { action };
    terminal.err('    Enter accept or decline.');
  }
}

const PAGE_ACTIONS = { accept: /^(?:a|accept|y|yes)$/i, decline: /^(?:d|decline|n|no)$/i, cancel: /^cancel$/i };

/** What an answer to the question for a page means; undefined for any other text. */
export function pageAction(text: string): ClientAnswer['action'] | undefined {
  const actions = Object.entries(PAGE_ACTIONS) as [ClientAnswer['action'], RegExp][];
  return actions.find(([, form]) => form.test(text.trim()))?.[0];
}

/** Asks until the answer fits; undefined when the person wants no more of it. */
async function askField(field: Field, ask: Ask, terminal: Terminal): Promise<{ value: unknown } | undefined> {
  for (;;) {
    const text = await ask(`  ${field.prompt}: `);
    if (text === undefined) return undefined;
    const read = parseField(field, text);
    if ('value' in read) return read;
    terminal.err(`    ${read.problem}`);
  }
}
