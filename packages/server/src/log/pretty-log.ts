import { inspect } from 'node:util';
import type { LogLevel } from '@mortise/plugin';
import { createLogger } from '@mortise/plugin/runtime';
import type { Redactor } from '@mortise/redact';
import type { SettingsLogLevel } from '../settings/settings.js';
import { SETTINGS_LOG_LEVELS } from '../settings/settings-table.js';
import { visibleText } from '../util/visible-text.js';
import type { Log } from './log.js';

const COLOURS: Readonly<Record<LogLevel, string>> = {
  trace: 'gray',
  debug: 'gray',
  info: 'green',
  warn: 'yellow',
  error: 'red',
};

export interface PrettyLogOptions {
  readonly level: SettingsLogLevel;
  readonly redactor: Redactor;
  readonly hasColour: boolean;
  /** Lines of a call have its id, by which the audit has it too. Default: false. */
  readonly showsCallIds?: boolean;
  write(text: string): void;
}

/** A log that people read: one line with its time, level, message and fields. Redacted, and without what a terminal would obey. */
export function createPrettyLog({ level, redactor, hasColour, showsCallIds = false, write }: PrettyLogOptions): Log {
  const paint = (format: string, text: string) => {
    const [begin, end] = inspect.colors[format] ?? [0, 0];
    return hasColour ? `\u001b[${begin}m${text}\u001b[${end}m` : text;
  };
  return createLogger((name, message, fields) => {
    if (SETTINGS_LOG_LEVELS.indexOf(name) < SETTINGS_LOG_LEVELS.indexOf(level)) return;
    const time = new Date().toTimeString().slice(0, 8);
    const { line, below } = fieldTexts(redactor.value(fields ?? {}));
    const id = showsCallIds && fields?.callId !== undefined ? [`callId=${fields.callId}`] : [];
    const head = `${paint('gray', time)} ${paint(COLOURS[name], name.padEnd(5))} ${visibleText(redactor.text(message))}`;
    const shown = [...(line === '' ? [] : [line]), ...id].join(' ');
    const rest = shown === '' ? '' : `  ${paint('gray', visibleText(shown))}`;
    write(`${head}${rest}\n${below.map((text) => `${visibleText(text)}\n`).join('')}`);
  });
}

/** `name=Ada count=2`; values of several lines, such as a stack, are below it. */
export function fieldTexts(fields: Readonly<Record<string, unknown>>): { line: string; below: string[] } {
  const entries = Object.entries(fields).filter(([key, value]) => value !== undefined && key !== 'callId');
  const isLong = (value: unknown): value is string => typeof value === 'string' && value.includes('\n');
  return {
    line: entries
      .filter(([, value]) => !isLong(value))
      .map(([key, value]) => `${key}=${valueText(value)}`)
      .join(' '),
    below: entries.flatMap(([key, value]) =>
      isLong(value)
        ? [
            `  ${key}:`,
            ...value
              .trimEnd()
              .split('\n')
              .map((line) => `    ${line}`),
          ]
        : [],
    ),
  };
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  return JSON.stringify(value) ?? String(value);
}
