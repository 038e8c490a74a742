import type { Writable } from 'node:stream';
import type { Logger, LogLevel } from '@mortise/plugin';
import { createLogger, type McpLevel } from '@mortise/plugin/runtime';
import type { Redactor } from '@mortise/redact';
import type { SettingsLogLevel } from '../settings/settings.js';
import { visibleText } from '../util/visible-text.js';

export interface LogLine {
  level: LogLevel;
  /** The level for MCP clients, if it is finer than `level`. */
  mcpLevel?: McpLevel;
  message: string;
  fields?: Record<string, unknown>;
}

/**
 * The server's log. Its lines are redacted and free of terminal control characters. Nothing else writes to stderr while
 * the server is serving.
 */
export type Log = Logger;

/** The level numbers of pino, which log viewers understand. */
const LEVELS: Readonly<Record<SettingsLogLevel, number>> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  silent: Number.POSITIVE_INFINITY,
};

const withoutBigInts = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/**
 * Creates a log that writes one JSON object per line.
 * @param destination default: stderr
 * @param replica the name of this replica, which is added to each line; '' adds none
 */
export function createLog(
  level: SettingsLogLevel,
  redactor: Redactor,
  destination: { write(line: string): void } = { write: writerTo(process.stderr) },
  replica = '',
): Log {
  return createLogger((lineLevel, message, fields) => {
    if (LEVELS[lineLevel] < LEVELS[level]) return;
    const head = { level: LEVELS[lineLevel], time: new Date().toISOString(), ...(replica !== '' && { replica }) };
    // The first `head` puts its members at the beginning; the second one overwrites fields with the same names.
    const line = { ...head, ...redactor.value(fields ?? {}), ...head, msg: redactor.text(message) };
    destination.write(`${visibleText(JSON.stringify(line, withoutBigInts))}\n`);
  });
}

const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/**
 * Returns a function that writes lines to stderr. A client need not read the server's stderr, so lines are dropped
 * while more than MAX_WAITING_BYTES are unread.
 */
export function writerTo(stderr: Writable): (line: string) => void {
  return (line) => {
    if (stderr.writableLength < MAX_WAITING_BYTES && !stderr.destroyed) stderr.write(line);
  };
}
