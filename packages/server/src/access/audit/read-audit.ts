import { open } from 'node:fs/promises';
import { isSuccess } from '../../core/call-outcome.js';
import type { AuditEntry } from './audit-event.js';
import { rotatedFiles } from './audit-file.js';

/** Which lines are wanted; without a member all are. */
export interface AuditFilter {
  /** ISO 8601, UTC. */
  readonly since?: string | undefined;
  /** The wire name of a tool, or the name of a prompt or a URI; `*` stands for any characters. */
  readonly tool?: string | undefined;
  readonly principal?: string | undefined;
  readonly callId?: string | undefined;
  /** Only what did not succeed. */
  readonly errors?: boolean | undefined;
}

export const isFailed = ({ outcome }: Pick<AuditEntry, 'outcome'>): boolean => !isSuccess(outcome);

/**
 * The lines of an audit, those of files that were put aside first.
 * @param damaged hears of each line that is not one of ours
 * @throws Error for a file that cannot be read; one that does not exist has no lines
 */
export async function* readAudit(file: string, filter: AuditFilter, damaged: () => void): AsyncGenerator<AuditEntry> {
  const tool = filter.tool === undefined ? undefined : patternOf(filter.tool);
  for (const path of [...rotatedFiles(file), file]) {
    for await (const line of linesOf(path)) {
      const entry = parse(line);
      if (!entry) damaged();
      else if (isWanted(entry, filter, tool)) yield entry;
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

function isWanted(entry: AuditEntry, filter: AuditFilter, tool: RegExp | undefined): boolean {
  return (
    (filter.since === undefined || entry.time >= filter.since) &&
    (tool === undefined || tool.test(entry.target ?? '')) &&
    (filter.principal === undefined || entry.principal === filter.principal) &&
    (filter.callId === undefined || entry.callId === filter.callId) &&
    (!filter.errors || isFailed(entry))
  );
}

function patternOf(text: string): RegExp {
  const parts = text.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'i');
}
