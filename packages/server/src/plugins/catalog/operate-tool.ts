import type { JsonObject } from '@mortise/plugin';
import type { Outcome, ToolDefinition } from '@mortise/plugin/runtime';
import { errorOutcome, errorOutcomes, invalidParam } from '../../call/results/error-outcomes.js';
import { OPERATE_TOOL } from '../../core/page-names.js';
import type { NameStyle } from '../../core/plugin-candidate.js';
import type { Principal } from '../../core/principal.js';
import type { Tool } from '../../core/snapshot.js';
import { describeChanges } from '../pins/compare.js';
import type { TrustedPlugins } from '../pins/pins.js';
import { answer, builtInEntry, type ReloadOptions, reloadAction } from './plugins-tool.js';
import { toolRegistrations } from './registrations.js';

export interface OperateToolOptions extends ReloadOptions {
  /** Trusts the current definition of a plugin if it has this hash. Trusts nothing if the hash is another one. */
  accept(plugin: string, sha256: string, principal: Principal | undefined): Promise<TrustedPlugins>;
}

const DEFINITION: ToolDefinition = {
  name: OPERATE_TOOL,
  title: 'Operate the plugins',
  description:
    'Reload: load what was added or changed, and the plugin that is named. Accept: trust the definition of a plugin that has changed, by its hash in mortise://plugins.',
  inputSchema: {
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['Reload', 'Accept'], description: 'What to do' },
      plugin: { type: 'string', minLength: 1, description: 'The name of one plugin; Accept needs it' },
      sha256: {
        type: 'string',
        pattern: '^[0-9a-f]{64}$',
        description: 'Accept: the hash of the definition that is accepted',
      },
    },
    required: ['action'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  origin: 'built in',
};

/** Creates the tool `builtin.operate`, which only operators see (docs/spec/access.md#operators). */
export function operateTools({ accept, ...reloads }: OperateToolOptions, nameStyle: NameStyle): Tool[] {
  const entry = builtInEntry(DEFINITION, {
    Reload: reloadAction(reloads),
    async Accept({ plugin, sha256 }, principal) {
      if (plugin === undefined || sha256 === undefined) return missing(plugin === undefined ? 'plugin' : 'sha256');
      const name = String(plugin);
      const { plugins: trusted, problem } = await accept(name, String(sha256), principal);
      if (problem) return errorOutcome('INTERNAL_ERROR', problem.message, { hint: problem.hint });
      if (trusted.length === 0) return otherDefinition(name, String(sha256));
      const lines = trusted.flatMap(({ changes }) => describeChanges(changes));
      return answer([`Accepted: ${name}, definition ${sha256}`, ...lines], { plugin: name, sha256 } as JsonObject);
    },
  });
  return toolRegistrations(entry, nameStyle).map(({ provided }) => provided);
}

function missing(parameter: string): Outcome {
  return errorOutcomes([invalidParam(parameter, 'required', `The action Accept needs the parameter '${parameter}'`)]);
}

function otherDefinition(plugin: string, sha256: string): Outcome {
  return errorOutcome('INVALID_PARAMS', `The plugin '${plugin}' has no definition with this hash`, {
    hint: 'Read mortise://plugins again: the definition has changed since. Check the difference before you accept it.',
    data: { exitCode: -1, additionalData: { parameter: 'sha256', reason: 'not found', providedValue: sha256 } },
  });
}
