import { stripVTControlCharacters } from 'node:util';
import { secret } from '@mortise/plugin';
import { createRedactor } from '@mortise/redact';

const redactor = createRedactor({ secrets: [] });

/** The maximum number of earlier lines in which the key of a value is searched for. */
const MAX_CONTEXT_LINES = 12;
const MAX_CONTEXT_CHARS = 2000;
/** A key whose value can be on a later line contains one of these. After lines without them nothing is searched. */
const HAS_KEY = /pass|pwd|secret|token|key|cred|auth|cookie|login|machine|sas|conn|psk|pin/i;

/**
 * Returns a function that marks a secret value whose key is on an earlier line of the same stream, as in YAML or a netrc
 * (docs/spec/redaction.md#redaction-streams). Other secrets are found when the lines are shown. Create one function for
 * each stream, and pass it each line in order.
 */
export function markValues(): (line: string) => string {
  let context: string[] = [];
  return (line) => {
    // The lines of private keys are marked already, and what comes after BEGIN is hidden in any text.
    if (/[\uFDD0\uFDD1]|-----BEGIN/.test(line) || line.length > MAX_CONTEXT_CHARS) {
      context = [];
      return line;
    }
    const before = context;
    context = [...context, line].slice(-MAX_CONTEXT_LINES);
    while (context.join('\n').length > MAX_CONTEXT_CHARS) context.shift();
    return before.some((text) => HAS_KEY.test(stripVTControlCharacters(text))) ? markAfter(before, line) : line;
  };
}

/** Marks the part of a line that is a secret only because of the lines before it. */
function markAfter(before: readonly string[], line: string): string {
  const redacted = redactor.text([...before, line].join('\n')).split('\n');
  const last = redacted.length === before.length + 1 ? redacted.at(-1)! : line;
  return last === line || last === redactor.text(line) ? line : markDifference(line, last);
}

/** Marks the part of the line that the redacted line has replaced. */
function markDifference(line: string, redacted: string): string {
  const limit = Math.min(line.length, redacted.length);
  let start = 0;
  while (start < limit && line[start] === redacted[start]) start++;
  let end = 0;
  while (end < limit - start && line.at(-1 - end) === redacted.at(-1 - end)) end++;
  return line.slice(0, start) + secret(line.slice(start, line.length - end)) + line.slice(line.length - end);
}
