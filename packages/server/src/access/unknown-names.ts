import { type PluginProblem, suggestNames } from '@mortise/plugin/runtime';
import type { Snapshot, Tool } from '../core/snapshot.js';
import type { Profile } from '../settings/access-settings.js';
import { settingsNames } from './operations.js';
import { namesOfPrompt, namesOfResource, namesOfTool, toPattern } from './profile-rules.js';

/** A name in a profile that matches nothing. */
interface UnknownName {
  /** The key in the settings. */
  readonly subject: string;
  readonly message: string;
  readonly name: string;
  /** The names among which the user can have meant one. */
  readonly candidates: readonly string[];
}

/**
 * Returns a warning for each name in a profile that matches nothing (docs/spec/access.md#profiles).
 * @param snapshot must be complete: plugins that have not loaded have no names
 * @param file the settings file
 */
export function findUnknownNames(
  profiles: Readonly<Record<string, Profile>>,
  snapshot: Snapshot,
  file: string,
): PluginProblem[] {
  const { tools, resources, templates, prompts, plugins } = snapshot;
  const names = new Set([
    ...plugins.flatMap(({ name }) => settingsNames(name)),
    ...tools.flatMap(namesOfTool),
    ...[...resources, ...templates].flatMap(namesOfResource),
    ...prompts.flatMap(namesOfPrompt),
  ]);
  return Object.entries(profiles)
    .flatMap(([profileName, { Include = [], Exclude, Actions }]) => [
      ...unmatchedPatterns(`Profiles.${profileName}.Include`, Include, [...names]),
      ...unmatchedPatterns(`Profiles.${profileName}.Exclude`, Exclude, [...names]),
      ...Object.entries(Actions).flatMap(([toolName, actions]) =>
        unknownActions(`Profiles.${profileName}.Actions.${toolName}`, { toolName, actions }, tools),
      ),
    ])
    .map((unknownName) => toProblem(unknownName, file));
}

function unmatchedPatterns(subject: string, patterns: readonly string[], names: readonly string[]): UnknownName[] {
  const unmatched = patterns.filter((pattern) => {
    const expression = toPattern([pattern]);
    return !names.some((name) => expression.test(name));
  });
  return unmatched.map((name) => ({ subject, message: `'${name}' matches nothing.`, name, candidates: names }));
}

function unknownActions(
  subject: string,
  { toolName, actions }: { readonly toolName: string; readonly actions: readonly string[] },
  tools: readonly Tool[],
): UnknownName[] {
  const hasName = (tool: Tool) => namesOfTool(tool).some((name) => name.toLowerCase() === toolName.toLowerCase());
  const tool = tools.find(hasName);
  if (!tool) {
    const candidates = tools.map(({ wireName }) => wireName);
    return [{ subject, message: `there is no tool '${toolName}'.`, name: toolName, candidates }];
  }
  const { action } = tool.definition.inputSchema.properties ?? {};
  const candidates = typeof action === 'object' && Array.isArray(action.enum) ? action.enum.map(String) : [];
  return actions
    .filter((name) => !candidates.includes(name))
    .map((name) => ({ subject, message: `the tool has no action '${name}'.`, name, candidates }));
}

function toProblem({ subject, message, name, candidates }: UnknownName, file: string): PluginProblem {
  const [suggestion] = suggestNames(name, [...candidates], 1);
  return {
    severity: 'warning',
    code: 'PROFILE_NAME_UNKNOWN',
    message: `${subject}: ${message}`,
    hint:
      suggestion === undefined
        ? 'Correct or remove this name. `mortise list` shows the names.'
        : `Did you mean '${suggestion}'?`,
    location: { file, subject },
  };
}
