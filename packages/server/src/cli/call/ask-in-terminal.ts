import { createInterface } from 'node:readline/promises';
import type { JsonSchema } from '@mortise/plugin';
import type { InputRequest } from '@mortise/plugin/runtime';
import type { Terminal } from '../shared/terminal.js';
import { type Field, fieldsOf, parseField } from './elicitation-form.js';

/** An answer in the form in which a client sends it. It has not been checked yet. */
export interface ClientAnswer {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, unknown>;
}

export interface QuestionOptions {
  readonly terminal: Terminal;
  /** Aborted when the call ends; an open question is then closed. */
  readonly signal: AbortSignal;
  /** Called when the person presses Ctrl+C while a question is open. */
  onInterrupt(): void;
}

/**
 * Asks the person at the terminal a tool's questions, one field after the other, on stderr. Ctrl+D cancels a form.
 * @returns the answers by key, in the form of MCP's `elicitation/create`
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

/** Returns the line that the person types; undefined if they cancel. */
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
    const answer = await askField(field, ask, terminal);
    if (answer === undefined) {
      terminal.err('');
      return { action: 'cancel' };
    }
    if (answer.value !== undefined) content[field.name] = answer.value;
  }
  return { action: 'accept', content };
}

/** Shows the URL and lets the person open it, so that nobody else decides which pages their browser opens. */
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

/** Returns the action that the answer to a question with a page means; undefined for any other text. */
export function pageAction(text: string): ClientAnswer['action'] | undefined {
  const actions = Object.entries(PAGE_ACTIONS) as [ClientAnswer['action'], RegExp][];
  return actions.find(([, pattern]) => pattern.test(text.trim()))?.[0];
}

/** Asks until the answer is valid. Returns undefined if the person cancels. */
async function askField(field: Field, ask: Ask, terminal: Terminal): Promise<{ value: unknown } | undefined> {
  for (;;) {
    const text = await ask(`  ${field.prompt}: `);
    if (text === undefined) return undefined;
    const answer = parseField(field, text);
    if ('value' in answer) return answer;
    terminal.err(`    ${answer.problem}`);
  }
}
