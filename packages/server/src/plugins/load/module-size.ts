import { statSync } from 'node:fs';
import { MAX_IMPORTS, type PluginProblem } from '@mortise/plugin/runtime';
import type { Fingerprint } from '../../core/plugin-fingerprint.js';
import { limitProblem, limitViolation } from '../../settings/limit-violation.js';
import type { PluginLimits } from '../../settings/plugin-limits.js';
import { tryOs } from '../../util/ignore-os-errors.js';

/**
 * Returns a problem if a plugin's code must not be loaded: it imports too many files, or one of its files is larger
 * than `Plugins.Limits.ModuleBytes`. Does not read the files.
 */
export function moduleProblem(
  { code = [], hasTooManyImports }: Fingerprint,
  limits: PluginLimits,
): PluginProblem | undefined {
  if (hasTooManyImports) {
    const maxImports = MAX_IMPORTS.toLocaleString('en');
    const message = `The plugin's code imports more than ${maxImports} different files by relative names; changes of all of them cannot be followed`;
    const hint = 'Bundle the plugin into fewer files.';
    return { severity: 'error', code: 'LIMIT_EXCEEDED', message, hint, location: { file: code[0]! } };
  }
  for (const file of code) {
    const size = tryOs(() => statSync(file, { throwIfNoEntry: false }))?.size ?? 0;
    if (size > limits.ModuleBytes) {
      return limitProblem(limitViolation(limits, 'ModuleBytes', `The file '${file}'`, size), { file });
    }
  }
  return undefined;
}
