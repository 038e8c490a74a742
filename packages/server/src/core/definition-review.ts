import type { PluginProblem } from '@mortise/plugin/runtime';

/** What the operator should know of a definition. */
export interface Review {
  readonly problems: readonly PluginProblem[];
  /** Whether the plugin's definition is blocked. */
  readonly isBlocked: boolean;
  /** What alone is held back, by the labels of pins: its names are pinned to another plugin. */
  readonly withheld?: ReadonlySet<string>;
}
