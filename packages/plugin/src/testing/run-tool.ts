import type { RegisteredTool } from '../register.js';
import type { ITool } from '../tool.js';
import type { CallOptions } from './call-options.js';
import { type OpenOptions, openPlugin, summary } from './open-plugin.js';
import type { RunResult } from './run-result.js';

/**
 * A tool of any style: a class, an object with `executeAsync`, a tool of `defineTool`, or a tool for `registerTool`.
 */
export type AnyTool = ITool | RegisteredTool | (new (...args: never[]) => ITool);

/**
 * Loads one tool and runs one call of it as the server would, with the same validation of arguments and result.
 * @throws Error with the reason, if the server would refuse to load the tool
 */
export async function runTool(
  tool: AnyTool,
  args: object | null = {},
  options: CallOptions & OpenOptions = {},
): Promise<RunResult> {
  const isRegistered = typeof tool !== 'function' && !('executeAsync' in tool);
  const plugin = await openPlugin(
    isRegistered
      ? { register: (api: { registerTool(tool: unknown): unknown }) => void api.registerTool(tool) }
      : { tool },
    options,
  );
  const [first] = plugin.tools;
  if (first === undefined) throw new Error(`The tool cannot be loaded: ${summary(plugin.definition)}`);
  try {
    return await plugin.callTool(first.name, args, options);
  } finally {
    await plugin.dispose();
  }
}
