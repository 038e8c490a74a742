import { performance } from 'node:perf_hooks';
import { cliProblemText, toCliError } from '../shared/cli-error.js';
import type { OpenServer } from '../shared/open-server.js';
import { createTextReader } from '../shared/read-text.js';
import type { Terminal } from '../shared/terminal.js';
import type { RawArguments } from './arguments.js';
import { createProgressLine } from './progress-line.js';
import { showAnswer } from './show-answer.js';
import { requestFromTerminal } from './terminal-caller.js';
import { argumentsFor } from './tool-arguments.js';

/** A call that `mortise dev` repeats. */
export interface RepeatedCall {
  /** Starts the call. A call that is still running is cancelled and prints nothing more. */
  start(): void;
  stop(): void;
}

export interface RepeatedCallOptions {
  readonly open: OpenServer;
  readonly terminal: Terminal;
  readonly raw: RawArguments;
  readonly answers: ReadonlyMap<string, string>;
}

/** Calls a tool at each `start()`, and prints the arguments, the result and the duration, or the error. */
export function createRepeatedCall(tool: string, { open, terminal, raw, answers }: RepeatedCallOptions): RepeatedCall {
  const { server } = open;
  const { style } = terminal;
  let running: AbortController | undefined;

  async function callOnce(controller: AbortController): Promise<void> {
    const line = createProgressLine(terminal.stderr);
    try {
      const args = await argumentsFor(server, tool, raw, { terminal, readText: createTextReader(terminal.stdin) });
      const startedAt = performance.now();
      const options = { terminal, isLogged: true, answers };
      const answer = await requestFromTerminal(controller, line, options, (caller) =>
        server.callTool(tool, args, caller),
      );
      const ms = Math.round(performance.now() - startedAt);
      line.clear();
      if (controller.signal.aborted) return;
      terminal.out(`\n${style.bold(tool)} ${JSON.stringify(server.redact(args))}`);
      const status = await showAnswer(answer, { name: tool, isStructured: false }, open, terminal);
      terminal.out(`${style.statusSymbol(status === 'ok' ? 'ok' : 'error')} ${ms} ms`);
    } catch (error) {
      line.clear();
      const { problems } = toCliError(error);
      for (const problem of server.redact(problems)) terminal.err(cliProblemText(problem, style));
    }
  }

  return {
    start() {
      running?.abort();
      running = new AbortController();
      void callOnce(running);
    },
    stop: () => running?.abort(),
  };
}
