import type { PluginLogEntry } from '@mortise/plugin/runtime';
import type { RedactedLines, Redactor } from '@mortise/redact';
import type { Caller } from '../core/server-api.js';
import type { LogLine } from '../log/log.js';
import type { CallServices } from './call-services.js';

/** The maximum number of loggers of one plugin that are tracked; beyond it the oldest are dropped. */
const MAX_LOGGERS = 100;

/** What plugins log, redacted: a secret may come in several lines of one logger. */
export interface PluginLog {
  add(plugin: string, entry: PluginLogEntry): void;
  /** Writes the lines that are held back. */
  end(): void;
}

/**
 * A line of a plugin's logger, redacted. `logger` is the plugin, followed by the logger's own name if it has one:
 * `weather/Forecast`.
 */
export type PluginLogLine = LogLine & { readonly plugin: string; readonly logger: string };

/**
 * The fields of such a line in the server's log. The server's own members win over those of the plugin, and a line that
 * belongs to no call has no `callId`.
 * @param own the members that the server adds
 */
export const logFields = (
  { fields, logger }: Pick<PluginLogLine, 'fields' | 'logger'>,
  own: Record<string, unknown> = {},
) => ({
  ...fields,
  plugin: logger,
  callId: undefined,
  ...own,
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

/** What a plugin logs during a call: to the log, and to the client that called. */
export class CallLog {
  #log: PluginLog | undefined;

  /** @param fields of the call; asked for when something is logged, which most calls do not */
  constructor(
    private readonly services: Pick<CallServices, 'redactor' | 'log'>,
    private readonly caller: Caller,
    private readonly plugin: string,
    private readonly fields: () => Record<string, unknown>,
  ) {}

  add(entry: PluginLogEntry): void {
    this.#log ??= createPluginLog(this.services.redactor, (line) => {
      this.services.log[line.level](line.message, logFields(line, this.fields()));
      this.caller.log?.(line);
    });
    this.#log.add(this.plugin, entry);
  }

  /** Writes the lines that are held back. */
  end(): void {
    this.#log?.end();
  }
}
