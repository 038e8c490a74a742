import { type ErrorCategory, type ErrorResult, errorCodeEntry } from '@mortise/plugin';
import type { OutcomeError } from '@mortise/plugin/runtime';
import { messageText } from './error-outcomes.js';

/** The order of members in the published contract (docs/spec/contract.md#error-response). Other members follow. */
const KEY_ORDER = [
  'code',
  'message',
  'category',
  'hint',
  'explanation',
  'documentationUrl',
  'suggestedFixes',
  'alternatives',
  'rawOutput',
  'mcpErrorCode',
  'data',
] as const satisfies readonly (keyof ErrorResult)[];

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Adds the required members and those of the table of codes, drops members without a value, and sorts by KEY_ORDER. */
export function toErrorResult(error: OutcomeError): ErrorResult {
  const entry = errorCodeEntry(error.code);
  const { data } = error;
  const full: OutcomeError = {
    ...error,
    ...(data?.exitCode === 0 && { data: { ...data, exitCode: -1 } }),
    message: messageText(error.message),
    category: error.category ?? entry?.category ?? ('Tool' satisfies ErrorCategory),
    hint: error.hint ?? (entry?.isOfServer ? undefined : entry?.hint),
    mcpErrorCode: error.mcpErrorCode ?? entry?.mcpErrorCode,
    rawOutput: messageText(error.rawOutput ?? ''),
  };
  const ordered: Record<string, unknown> = {};
  for (const key of [...KEY_ORDER, ...Object.keys(full)]) {
    const value = full[key as keyof OutcomeError];
    if (value !== undefined && value !== null && !isEmptyList(value)) ordered[key] = value;
  }
  return ordered as unknown as ErrorResult;
}
