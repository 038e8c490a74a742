import type { PluginProblem } from '@mortise/plugin/runtime';
import type { SettingsProblem } from '../../settings/settings-error.js';
import { indent, locationText } from './format-text.js';
import type { PackCode } from './pack-codes.js';
import type { Style } from './style.js';

/** A problem that a check found, with its code, place and next action. It is shown to people and as JSON. */
export interface Issue {
  readonly severity: 'error' | 'warning';
  /** A code of PROBLEM_CODES, one of the configuration's, or one of PACK_CODES. */
  readonly code: PluginProblem['code'] | PackCode | 'SETTINGS_INVALID' | 'SETTINGS_WARNING';
  readonly message: string;
  readonly hint?: string;
  /** The plugin that has the problem. */
  readonly plugin?: string;
  /** The export, class, tool or setting that has the problem. */
  readonly subject?: string;
  /** Absolute path. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Converts a problem of a plugin, or of a plugins folder if no plugin is given. */
export function pluginIssue({ severity, code, message, hint, location }: PluginProblem, plugin?: string): Issue {
  return { severity, code, message, hint, ...(plugin === undefined ? {} : { plugin }), ...location };
}

export function settingsIssue({ key, ...problem }: SettingsProblem): Issue {
  return { severity: 'error', code: 'SETTINGS_INVALID', ...problem, ...(key === '' ? {} : { subject: key }) };
}

export function settingsWarning(message: string): Issue {
  return { severity: 'warning', code: 'SETTINGS_WARNING', message };
}

/** Formats an issue on up to three lines: what is wrong, where, and what to do. */
export function issueText(
  { severity, code, plugin, message, file, line, column, subject, hint }: Issue,
  style: Style,
): string {
  const isSettings = code === 'SETTINGS_INVALID' || code === 'SETTINGS_WARNING';
  const about = plugin === undefined ? '' : `${style.bold(plugin)}: `;
  const location = file === undefined ? '' : locationText({ file, line, column });
  const isSubjectMissing = subject !== undefined && !message.includes(subject);
  const where = [location, isSubjectMissing && !isSettings ? `(${subject})` : ''].filter(Boolean).join(' ');
  const head = `${style.statusSymbol(severity)} ${about}${message}${isSettings ? '' : ` ${style.dim(`[${code}]`)}`}`;
  const rest = [style.dim(where), hint && `${style.arrow} ${hint}`].filter(Boolean);
  return [head, ...rest.map((text) => indent(text!, 4))].join('\n');
}

/** Returns `2 errors, 1 warning`; '' if there are no issues. */
export function issueCounts(issues: readonly Issue[]): string {
  const countOf = (severity: Issue['severity']) => issues.filter((issue) => issue.severity === severity).length;
  return [countText(countOf('error'), 'error'), countText(countOf('warning'), 'warning')].filter(Boolean).join(', ');
}

function countText(number: number, noun: string): string {
  return number === 0 ? '' : `${number} ${noun}${number === 1 ? '' : 's'}`;
}
