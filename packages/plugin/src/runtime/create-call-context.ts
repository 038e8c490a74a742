import type { CallContext, CallerInfo, CallInput, ClientCapabilities } from '../call-context.js';
import type { Logger } from '../logger.js';
import type { IProgressReporter } from '../progress-reporter.js';
import { createCallInput } from './call-input.js';
import { OnceEffects } from './once-effects.js';
import type { InputRequiredOutcome } from './outcome.js';
import type { CallChannel } from './plugin-instance.js';
import { createPluginLogger } from './plugin-logger.js';
import { toProgressReport } from './progress-report.js';
import { WatchedReports } from './watched-reports.js';

const NONE: readonly string[] = [];

/** The default protocol version of each mode. */
export const DEFAULT_VERSION = { ask: '2025-11-25', retry: '2026-07-28' } as const;

/** Used if nothing is known about the caller. */
export const UNKNOWN_CALLER: CallerInfo = Object.freeze({
  client: Object.freeze({ name: '', version: '' }),
  requestId: '',
});

/** What a call's context needs in addition to its channel. */
export interface CallEnvironment {
  /** The class, for log lines. */
  scope: string | undefined;
  getConfig(key: string): string | null;
  /** Ends the call immediately with the questions that need answers. */
  interrupt(outcome: InputRequiredOutcome): void;
}

/** The context that tools, resources and prompts get; its parts are made when they are first used. */
export class ChannelCallContext implements CallContext {
  readonly getConfig: (key: string) => string | null;
  readonly #channel: CallChannel;
  readonly #environment: CallEnvironment;
  #progress: IProgressReporter | undefined;
  #reports: WatchedReports | undefined;
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
    this.#reports ??= new WatchedReports();
    const reports = this.#reports;
    this.#progress ??= {
      report(progress, message) {
        const report = toProgressReport(progress, message);
        reports.saw(progress, report === undefined);
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

  /** What the author of the code should know of its reports of progress, once it has ended. */
  progressMistakes(): readonly string[] {
    return this.#reports?.mistakes() ?? NONE;
  }

  /** The call ends with its questions and with what was done until then. */
  async #interrupt(outcome: InputRequiredOutcome): Promise<void> {
    const onceResults = await this.#onceEffects.settled();
    this.#environment.interrupt({ ...outcome, ...(Object.keys(onceResults).length > 0 && { onceResults }) });
  }
}
