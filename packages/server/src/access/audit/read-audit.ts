import { open } from 'node:fs/promises';
import { isSuccess } from '../../core/call-outcome.js';
import type { AuditEntry } from './audit-event.js';
import { rotatedFiles } from './audit-file.js';

/** Selects lines. An absent member selects all. */
export interface AuditFilter {
  /** The earliest time; ISO 8601, UTC. */
  readonly since?: string | undefined;
  /** The wire name of a tool, the name of a prompt, or a URI. `*` stands for any characters. */
  readonly tool?: string | undefined;
  readonly principal?: string | undefined;
  readonly callId?: string | undefined;
  /** Selects only calls that did not succeed. */
  readonly errors?: boolean | undefined;
}

export const isFailed = ({ outcome }: Pick<AuditEntry, 'outcome'>): boolean => !isSuccess(outcome);

/**
 * Reads the lines of an audit, beginning with the oldest rotated file.
 * @param onDamaged called for each line that is not an audit line
 * @throws Error if a file cannot be read. A file that does not exist has no lines
 */
export async function* readAudit(file: string, filter: AuditFilter, onDamaged: () => void): AsyncGenerator<AuditEntry> {
  const toolPattern = filter.tool === undefined ? undefined : patternOf(filter.tool);
  for (const path of [...rotatedFiles(file), file]) {
    for await (const line of linesOf(path)) {
      const entry = parse(line);
      if (!entry) onDamaged();
      else if (isSelected(entry, filter, toolPattern)) yield entry;
    }
  }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (file) yield* file.readLines();
}

function parse(line: string): AuditEntry | undefined {
  try {
    const value = JSON.parse(line) as Partial<AuditEntry> | null;
    return typeof value?.time === 'string' && typeof value.outcome === 'string' ? (value as AuditEntry) : undefined;
  } catch {
    return undefined;
  }
}

function isSelected(entry: AuditEntry, filter: AuditFilter, toolPattern: RegExp | undefined): boolean {
  return (
    (filter.since === undefined || entry.time >= filter.since) &&
    (toolPattern === undefined || toolPattern.test(entry.target ?? '')) &&
    (filter.principal === undefined || entry.principal === filter.principal) &&
    (filter.callId === undefined || entry.callId === filter.callId) &&
    (!filter.errors || isFailed(entry))
  );
}

function patternOf(text: string): RegExp {
  const parts = text.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'i');
}
