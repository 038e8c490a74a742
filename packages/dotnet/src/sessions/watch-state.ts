import type { OutputStream } from '../process/command-run.js';
import { isBuildLine } from './build-output.js';
import type { WatchState } from './session.js';

/** The states for messages of `dotnet watch`, with or without emoji (SDK 10.0.401). The first match counts. */
const REPORTS: readonly (readonly [RegExp, WatchState])[] = [
  [/Waiting for a file to change|Fix the error to continue/, 'waiting'],
  [/\bExited\b/, 'waiting'],
  [/Restart is needed|Restarting|Loading projects|Building|File changed: /, 'building'],
  [/Hot reload (of changes )?succeeded|No (managed code|hot reload) changes/i, 'running'],
];

/** Follows the state of `dotnet watch` in its output. */
export interface WatchReader {
  readonly state: WatchState;
  read(line: string, stream: OutputStream): void;
}

export function createWatchReader(): WatchReader {
  let state: WatchState = 'building';
  // `dotnet watch` prints "Waiting for changes" while the program runs or, without hot reload, before the build.
  let hasHotReload = false;

  function report(text: string): WatchState {
    if (/Hot reload enabled/i.test(text)) hasHotReload = true;
    if (/Waiting for changes/.test(text)) return hasHotReload ? 'running' : 'building';
    return REPORTS.find(([pattern]) => pattern.test(text))?.[1] ?? state;
  }

  return {
    get state() {
      return state;
    },
    read(line, stream) {
      const text = /^dotnet watch\b(.*)/.exec(line)?.[1];
      if (stream === 'stderr' && text !== undefined) state = report(text);
      else if (/^Build FAILED\./.test(line)) state = 'waiting';
      else if (state === 'waiting' && /^\s*Determining projects to restore/.test(line)) state = 'building';
      else if (state === 'building' && stream === 'stdout' && !isBuildLine(line)) state = 'running';
    },
  };
}
