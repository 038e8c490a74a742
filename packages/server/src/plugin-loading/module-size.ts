import { statSync } from 'node:fs';
import type { PluginProblem } from '@mortise/plugin/runtime';
import type { Fingerprint } from '../core/plugin-fingerprint.js';
import { limitProblem, limitViolation } from '../settings/limit-violation.js';
import type { PluginLimits } from '../settings/plugin-limits.js';
import { tryOs } from '../util/ignore-os-errors.js';

/** Why code of a plugin is not loaded: a file of it is larger than `Plugins.Limits.ModuleBytes`. Nothing is read for it. */
export function moduleProblem({ code = [] }: Fingerprint, limits: PluginLimits): PluginProblem | undefined {
  for (const file of code) {
    const size = tryOs(() => statSync(file, { throwIfNoEntry: false }))?.size ?? 0;
    if (size > limits.ModuleBytes) {
      return limitProblem(limitViolation(limits, 'ModuleBytes', `The file '${file}'`, size), { file });
    }
  }
  return undefined;
}
