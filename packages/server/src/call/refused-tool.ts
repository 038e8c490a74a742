import type { PluginProblem } from '@mortise/plugin/runtime';
import type { PluginStatus } from '../core/plugin-status.js';
import { spelled } from './unloaded-owner.js';

/** How messages name a tool: `Tool 'report.make'`, `The tool name 'report make'`. */
const NAMED_TOOL = /\btool(?: name)? '([^']+)'/gi;

/**
 * Why there is no tool of this name although a plugin defines it: the problem by which it was refused
 * (docs/spec/plugins.md#refused-tools). Undefined where no plugin tried to.
 */
export function refusalOf(name: string, plugins: readonly PluginStatus[]): PluginProblem | undefined {
  const wanted = spelled(name);
  return plugins
    .flatMap(({ problems }) => problems)
    .find(({ severity, message, location: { subject } }) => {
      if (severity !== 'error') return false;
      const names = [...message.matchAll(NAMED_TOOL)].map(([, named]) => named!);
      return [...names, subject ?? ''].some((item) => spelled(item) === wanted);
    });
}
