import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ActionError } from '../../actions/action.js';

/** The binary log of one build, which `-bl` writes into the folder that MSBuild runs in. */
export interface Binlog {
  /** `binlog`, where it was written. */
  fields(): { readonly binlog?: string };
  /** For the text of a success. */
  lines(): readonly string[];
  /** The failure, with the path of the log in its hint. */
  named(error: unknown): unknown;
}

/** File systems keep coarser times than the clock. */
const CLOCK_SLACK_MS = 20;

/** @param cwd the folder of the build. The log is MSBuild's `msbuild.binlog`; a former one is overwritten, as the CLI does. */
export function createBinlog(cwd: string): Binlog {
  const path = join(cwd, 'msbuild.binlog');
  const startedAt = Date.now() - CLOCK_SLACK_MS;
  const isFresh = () => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= startedAt;
  const sentence = `Binary log: ${path}`;
  return {
    fields: () => (isFresh() ? { binlog: path } : {}),
    lines: () => (isFresh() ? [sentence] : []),
    named(error) {
      const [first, ...more] = error instanceof ActionError ? (error.options.errors ?? []) : [];
      if (!(error instanceof ActionError) || first === undefined || !isFresh()) return error;
      const hint = first.hint === undefined ? sentence : `${first.hint} ${sentence}`;
      return new ActionError(error.message, { ...error.options, errors: [{ ...first, hint }, ...more] });
    },
  };
}
