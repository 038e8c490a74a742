import type { PluginProblem } from '@mortise/plugin/runtime';

/** The result of comparing a plugin's definition with its pins. */
export interface Review {
  readonly problems: readonly PluginProblem[];
  /** True if no part of the definition may be used. */
  readonly isBlocked: boolean;
  /**
   * Pin labels of tools, resources and prompts that are not offered, because their names are pinned to another plugin or
   * they have hidden text. The label of the file stands for the instructions.
   */
  readonly withheld?: ReadonlySet<string>;
}
