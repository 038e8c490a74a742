import type { PluginLogEntry } from '@mortise/plugin/runtime';
import type { RedactedLines, Redactor } from '@mortise/redact';
import type { LogLine } from '../log/log.js';
import type { CallServices } from './call-services.js';
import type { LimitedCall } from './limited-call.js';

/** Loggers that are redacted separately; beyond this number the oldest one is dropped. */
const MAX_LOGGERS = 100;

/**
 * Redacts the log lines of plugins. Holds lines back while a secret may continue in the next line of the same logger.
 */
export interface PluginLog {
  add(plugin: string, entry: PluginLogEntry): void;
  /** Writes the lines that are held back. */
  end(): void;
}

/** A redacted log line. `logger` is the plugin's name, and the logger's name if it has one: `weather/Forecast`. */
export type PluginLogLine = LogLine & { readonly plugin: string; readonly logger: string };

/**
 * Returns the fields of a plugin's line in the server's log. The server's fields replace those of the plugin, which
 * cannot set a `callId` either.
 */
export const logFields = (
  { fields, logger }: Pick<PluginLogLine, 'fields' | 'logger'>,
  serverFields: Record<string, unknown> = {},
) => ({
  ...fields,
  plugin: logger,
  callId: undefined,
  ...serverFields,
});

export function createPluginLog(redactor: Redactor, write: (line: PluginLogLine) => void): PluginLog {
  const loggers = new Map<
    string,
    RedactedLines<Pick<PluginLogLine, 'level' | 'mcpLevel' | 'plugin' | 'logger'>, LogLine['fields']>
  >();

  function linesOf(logger: string) {
    let lines = loggers.get(logger);
    if (!lines) {
      const [oldest] = loggers.size >= MAX_LOGGERS ? loggers : [];
      oldest?.[1].end();
      if (oldest) loggers.delete(oldest[0]);
      lines = redactor.lines((message, rest, fields) => write({ ...rest, ...(fields && { fields }), message }));
      loggers.set(logger, lines);
    }
    return lines;
  }

  return {
    add(plugin, { level, mcpLevel, message, fields, scope }) {
      const logger = scope === undefined ? plugin : redactor.text(`${plugin}/${scope}`);
      linesOf(logger).add(message, { level, ...(mcpLevel && { mcpLevel }), plugin, logger }, fields);
    },
    end() {
      for (const lines of loggers.values()) lines.end();
    },
  };
}

type LoggedCall = Pick<LimitedCall, 'caller' | 'owner' | 'logFields'> & {
  readonly services: Pick<CallServices, 'redactor' | 'log'>;
};

/** Writes the lines that a plugin logs during a call to the server's log and to the client that called. */
export class CallLog {
  readonly #call: LoggedCall;
  #log: PluginLog | undefined;

  constructor(call: LoggedCall) {
    this.#call = call;
  }

  add(entry: PluginLogEntry): void {
    const { services, caller, owner } = this.#call;
    this.#log ??= createPluginLog(services.redactor, (line) => {
      services.log[line.level](line.message, logFields(line, this.#call.logFields()));
      caller.log?.(line);
    });
    this.#log.add(owner.plugin, entry);
  }

  end(): void {
    this.#log?.end();
  }
}
