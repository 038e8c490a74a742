import type { Writable } from 'node:stream';
import type { Logger, LogLevel } from '@mortise/plugin';
import { createLogger, type McpLevel } from '@mortise/plugin/runtime';
import type { Redactor } from '@mortise/redact';
import type { SettingsLogLevel } from '../settings/settings.js';
import { visibleText } from '../util/visible-text.js';

export interface LogLine {
  level: LogLevel;
  /** What MCP clients get, where `level` is coarser. */
  mcpLevel?: McpLevel;
  message: string;
  fields?: Record<string, unknown>;
}

/** The server's log: structured lines to stderr, redacted, and without what a terminal would obey instead of show. The only writer of stderr while serving. */
export type Log = Logger;

/** The numbers that other programs for logs know the levels by. */
const LEVELS: Readonly<Record<SettingsLogLevel, number>> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  silent: Number.POSITIVE_INFINITY,
};

const withoutBigInts = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** @param destination anything with `write`; default stderr */
export function createLog(
  level: SettingsLogLevel,
  redactor: Redactor,
  destination: { write(line: string): void } = { write: writerTo(process.stderr) },
): Log {
  return createLogger((name, message, fields) => {
    if (LEVELS[name] < LEVELS[level]) return;
    const own = { level: LEVELS[name], time: new Date().toISOString() };
    // The first `own` decides the order, the second one the values.
    const line = { ...own, ...redactor.value(fields ?? {}), ...own, msg: redactor.text(message) };
    destination.write(`${visibleText(JSON.stringify(line, withoutBigInts))}\n`);
  });
}

/** What may wait for whoever reads stderr. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/**
 * Writes lines to a stderr. A client that starts the server need not read its stderr: that must not stop the server, so what it cannot
 * take is dropped.
 */
export function writerTo(stderr: Writable): (line: string) => void {
  return (line) => {
    if (stderr.writableLength < MAX_WAITING_BYTES && !stderr.destroyed) stderr.write(line);
  };
}
