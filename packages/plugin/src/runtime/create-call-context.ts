import type { CallContext, CallerInfo, CallInput, ClientCapabilities } from '../call-context.js';
import type { Logger } from '../logger.js';
import type { IProgressReporter } from '../progress-reporter.js';
import { createCallInput } from './call-input.js';
import { OnceEffects } from './once-effects.js';
import type { InputRequiredOutcome } from './outcome.js';
import type { CallChannel } from './plugin-instance.js';
import { createPluginLogger } from './plugin-logger.js';
import { ProgressMistakes } from './progress-mistakes.js';
import { toProgressReport } from './progress-report.js';

const NONE: readonly string[] = [];

export const DEFAULT_VERSION = { ask: '2025-11-25', retry: '2026-07-28' } as const;

export const UNKNOWN_CALLER: CallerInfo = Object.freeze({
  client: Object.freeze({ name: '', version: '' }),
  requestId: '',
});

/** The parts of a call's context that do not come from its channel. */
export interface CallEnvironment {
  /** The class name in log lines. */
  scope: string | undefined;
  getConfig(key: string): string | null;
  /** Ends the call immediately with the questions that need answers. */
  interrupt(outcome: InputRequiredOutcome): void;
}

/** The context of a call that came through a channel. Its members are created when they are first used. */
export class ChannelCallContext implements CallContext {
  readonly getConfig: (key: string) => string | null;
  readonly #channel: CallChannel;
  readonly #environment: CallEnvironment;
  #progress: IProgressReporter | undefined;
  #mistakes: ProgressMistakes | undefined;
  #logger: Logger | undefined;
  #input: CallInput | undefined;
  #effects: OnceEffects | undefined;

  constructor(channel: CallChannel, environment: CallEnvironment) {
    this.getConfig = environment.getConfig;
    this.#channel = channel;
    this.#environment = environment;
  }

  get signal(): AbortSignal {
    return this.#channel.signal;
  }

  get caller(): CallerInfo {
    return this.#channel.caller ?? UNKNOWN_CALLER;
  }

  get clientCapabilities(): ClientCapabilities {
    return this.#channel.clientCapabilities;
  }

  get protocolVersion(): string {
    return this.#channel.protocolVersion ?? DEFAULT_VERSION[this.#channel.inputMode];
  }

  get progress(): IProgressReporter {
    const channel = this.#channel;
    this.#mistakes ??= new ProgressMistakes();
    const mistakes = this.#mistakes;
    this.#progress ??= {
      report(progress, message) {
        const report = toProgressReport(progress, message);
        mistakes.check(progress, { isIgnored: report === undefined });
        if (report) channel.progress(report);
      },
    };
    return this.#progress;
  }

  get logger(): Logger {
    this.#logger ??= createPluginLogger((entry) => this.#channel.log(entry), this.#environment.scope);
    return this.#logger;
  }

  get stream(): CallContext['stream'] {
    return (text) => this.logger.info(text, { partial: true });
  }

  get input(): CallInput {
    this.#input ??= createCallInput(this.#channel, (outcome) => this.#interrupt(outcome));
    return this.#input;
  }

  get once(): CallContext['once'] {
    return this.#onceEffects.run;
  }

  get #onceEffects(): OnceEffects {
    this.#effects ??= new OnceEffects(this.#channel.onceResults);
    return this.#effects;
  }

  /** Mistakes in the call's progress reports, for the author. Read them when the call has ended. */
  progressMistakes(): readonly string[] {
    return this.#mistakes?.messages() ?? NONE;
  }

  /** Ends the call with its questions and with the results of the effects that have already run. */
  async #interrupt(outcome: InputRequiredOutcome): Promise<void> {
    const onceResults = await this.#onceEffects.settled();
    this.#environment.interrupt({ ...outcome, ...(Object.keys(onceResults).length > 0 && { onceResults }) });
  }
}
