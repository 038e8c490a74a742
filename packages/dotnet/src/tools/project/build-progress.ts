import type { ActionContext } from '../../actions/action.js';
import { findProject } from '../../project-files/find-project.js';
import { readSolution } from '../../project-files/solution-file.js';
import type { BuildOutput } from './output-lines.js';

/** What is left for the end of the work. */
const MAX_PERCENT = 95;
const RESTORED_PERCENT = 10;

/** Reports the progress that a build prints: packages restored, project i of n built, tests that ended. */
export function buildProgress(call: ActionContext): (line: string, output: BuildOutput | undefined) => void {
  const { progress } = call.context;
  const expected = projectCount(call);
  const built = new Set<string>();
  let tests = 0;
  let percent = 0;
  const report = (next: number, message: string) => {
    percent = Math.max(percent, Math.min(MAX_PERCENT, next));
    progress.report(percent, message);
  };
  return (line, output) => {
    const restored = /^\s*Restored (.+?) \(in /.exec(line)?.[1];
    if (restored !== undefined || /up-to-date for restore/.test(line)) {
      report(RESTORED_PERCENT, restored === undefined ? 'Packages are up to date' : `Restored ${restored}`);
      return;
    }
    if (output !== undefined) {
      built.add(output.project);
      const share = built.size / Math.max(expected, built.size);
      const count = expected > 1 ? ` (${built.size} of ${Math.max(expected, built.size)})` : '';
      report(RESTORED_PERCENT + share * (MAX_PERCENT - RESTORED_PERCENT - 5), `Built ${output.project}${count}`);
      return;
    }
    if (/^\s*(?:Passed|Failed|Skipped|passed|failed|skipped) \S+.*\[?\(?[<\d]+.*(?:ms|s|m)\b/.test(line)) {
      tests++;
      report(percent, tests === 1 ? '1 test completed' : `${tests} tests completed`);
    }
  };
}

/** How many projects the call builds, as far as files show it; otherwise 1. */
function projectCount(call: ActionContext): number {
  const path = call.resolve(call.args.project ?? '.');
  if (findProject(path) !== undefined) return 1;
  try {
    return Math.max(1, readSolution(path).length);
  } catch {
    return 1;
  }
}
