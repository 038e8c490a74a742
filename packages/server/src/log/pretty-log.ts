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
  /** True if the lines of a call include its id, so that the call can be found in the audit. Default: false. */
  readonly showsCallIds?: boolean;
  write(text: string): void;
}

/** Creates a log for people: time, level, message and fields on one line, redacted and without control characters. */
export function createPrettyLog({ level, redactor, hasColour, showsCallIds = false, write }: PrettyLogOptions): Log {
  const paint = (format: string, text: string) => {
    const [begin, end] = inspect.colors[format] ?? [0, 0];
    return hasColour ? `\u001b[${begin}m${text}\u001b[${end}m` : text;
  };
  return createLogger((lineLevel, message, fields) => {
    if (SETTINGS_LOG_LEVELS.indexOf(lineLevel) < SETTINGS_LOG_LEVELS.indexOf(level)) return;
    const time = new Date().toTimeString().slice(0, 8);
    const { line, below } = fieldTexts(redactor.value(fields ?? {}));
    const id = showsCallIds && fields?.callId !== undefined ? [`callId=${fields.callId}`] : [];
    const shownLevel = paint(COLOURS[lineLevel], lineLevel.padEnd(5));
    const head = `${paint('gray', time)} ${shownLevel} ${visibleText(redactor.text(message))}`;
    const shownFields = [...(line === '' ? [] : [line]), ...id].join(' ');
    const tail = shownFields === '' ? '' : `  ${paint('gray', visibleText(shownFields))}`;
    write(`${head}${tail}\n${below.map((text) => `${visibleText(text)}\n`).join('')}`);
  });
}

/** Returns `name=Ada count=2` for the line, and multi-line values, such as a stack, as lines to print below it. */
export function fieldTexts(fields: Readonly<Record<string, unknown>>): { line: string; below: string[] } {
  const entries = Object.entries(fields).filter(([key, value]) => value !== undefined && key !== 'callId');
  const isMultiLine = (value: unknown): value is string => typeof value === 'string' && value.includes('\n');
  return {
    line: entries
      .filter(([, value]) => !isMultiLine(value))
      .map(([key, value]) => `${key}=${valueText(value)}`)
      .join(' '),
    below: entries.flatMap(([key, value]) =>
      isMultiLine(value)
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
