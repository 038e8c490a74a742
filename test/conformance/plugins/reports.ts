import { setTimeout as delay } from 'node:timers/promises';
import type { CallContext, RegisterApi } from '@mortise/plugin';

const DELAY_MS = 50;
/** A stream begins after 500 ms, and is closed 2 s later (run.mjs). The client comes back once, also for 2 s. */
const RECONNECTION_MS = 2_800;

async function reportProgress({ progress }: CallContext): Promise<string> {
  progress.report(0);
  await delay(DELAY_MS);
  progress.report(50);
  await delay(DELAY_MS);
  progress.report(100);
  return 'Progress was reported in three steps.';
}

async function writeLog({ logger }: CallContext): Promise<string> {
  logger.info('Tool execution started');
  await delay(DELAY_MS);
  logger.info('Tool processing data');
  await delay(DELAY_MS);
  logger.info('Tool execution completed');
  return 'Three lines were logged.';
}

function fail(): never {
  throw new Error('This tool intentionally returns an error for testing');
}

/** Tools that tell something beside their result. */
export function register(api: RegisterApi): void {
  const tool = (name: string, description: string, run: (context: CallContext) => unknown) =>
    api.registerTool({
      name,
      description,
      inputSchema: { type: 'object' },
      run: (_: unknown, context) => run(context),
    });
  tool('test_tool_with_progress', 'Reports 0, 50 and 100 percent', reportProgress);
  tool('test_tool_with_logging', 'Logs three lines at level info', writeLog);
  tool('test_logging_tool', 'Logs three lines at level info', writeLog);
  tool('test_error_handling', 'Throws', fail);
  tool('test_reconnection', 'Takes so long that its stream is closed, and its client comes back', async () => {
    await delay(RECONNECTION_MS);
    return 'Reconnection test completed successfully';
  });
}
