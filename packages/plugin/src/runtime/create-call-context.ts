import type { CallContext, CallInput, ClientCapabilities } from '../call-context.js';
import type { Logger } from '../logger.js';
import type { IProgressReporter } from '../progress-reporter.js';
import { createCallInput } from './call-input.js';
import type { InputRequiredOutcome } from './outcome.js';
import type { CallPort } from './plugin-instance.js';
import { createPluginLogger } from './plugin-logger.js';

/** Where a port says nothing else. */
export const VERSION_OF_MODE = { ask: '2025-11-25', retry: '2026-07-28' } as const;

/** What a call's context needs beside its port. */
export interface CallSurroundings {
  /** The class, for log lines. */
  scope?: string;
  getConfig(key: string): string | null;
  /** Ends the call at once with the questions that need answers. */
  interrupt(outcome: InputRequiredOutcome): void;
}

/** The context that tools, resources and prompts get; its parts are made when they are first used. */
export class PortCallContext implements CallContext {
  readonly getConfig: (key: string) => string | null;
  readonly #port: CallPort;
  readonly #surroundings: CallSurroundings;
  #progress: IProgressReporter | undefined;
  #logger: Logger | undefined;
  #input: CallInput | undefined;

  constructor(port: CallPort, surroundings: CallSurroundings) {
    this.getConfig = surroundings.getConfig;
    this.#port = port;
    this.#surroundings = surroundings;
  }

  get signal(): AbortSignal {
    return this.#port.signal;
  }

  get clientCapabilities(): ClientCapabilities {
    return this.#port.clientCapabilities;
  }

  get protocolVersion(): string {
    return this.#port.protocolVersion ?? VERSION_OF_MODE[this.#port.inputMode];
  }

  get progress(): IProgressReporter {
    const port = this.#port;
    this.#progress ??= {
      report: (percent, message) => port.progress(Number(percent), typeof message === 'string' ? message : undefined),
    };
    return this.#progress;
  }

  get logger(): Logger {
    this.#logger ??= createPluginLogger((entry) => this.#port.log(entry), this.#surroundings.scope);
    return this.#logger;
  }

  get input(): CallInput {
    this.#input ??= createCallInput(this.#port, this.#surroundings.interrupt);
    return this.#input;
  }
}
