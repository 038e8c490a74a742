import { secret } from '@mortise/plugin';
import { createRedactor } from '@mortise/redact';

const redactor = createRedactor({ secrets: [] });

/**
 * Returns a function that marks a secret value whose key is on an earlier line of the same stream, as in YAML or a netrc
 * (docs/spec/redaction.md#redaction-streams). Other secrets are found when the lines are shown. Create one function for
 * each stream, and pass it each line in order.
 */
export function markValues(): (line: string) => string {
  let redacted = '';
  const lines = redactor.lines<undefined>((text) => {
    redacted = text;
  });
  return (line) => {
    lines.add(line, undefined);
    // Shows a line that is held back because it may belong to a private key, for which `secretLines()` looks.
    lines.end();
    return redacted === line || redacted === redactor.text(line) ? line : markDifference(line, redacted);
  };
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
