import { type PluginProblem, suggestNames } from '@mortise/plugin/runtime';
import type { Snapshot } from '../core/snapshot.js';
import type { Profile } from '../settings/access-settings.js';
import { ownNames } from './operations.js';
import { namesOfPrompt, namesOfResource, namesOfTool, toPattern } from './profile-rules.js';

/**
 * A warning for each name in a profile that is of nothing, with the nearest one (docs/spec/access.md#profiles). The
 * snapshot must be complete: what has not loaded has no names.
 */
export function unknownNames(
  profiles: Readonly<Record<string, Profile>>,
  { tools, resources, templates, prompts, plugins }: Snapshot,
  file: string,
): PluginProblem[] {
  const names = new Set([
    ...plugins.flatMap(({ name }) => ownNames(name)),
    ...tools.flatMap(namesOfTool),
    ...[...resources, ...templates].flatMap(namesOfResource),
    ...prompts.flatMap(namesOfPrompt),
  ]);
  const problem = (subject: string, message: string, name: string, known: readonly string[]): PluginProblem => {
    const [closest] = suggestNames(name, [...known], 1);
    return {
      severity: 'warning',
      code: 'PROFILE_NAME_UNKNOWN',
      message: `${subject}: ${message}`,
      hint:
        closest === undefined
          ? 'Correct it, or remove it; `mortise list` shows the names.'
          : `Did you mean '${closest}'?`,
      location: { file, subject },
    };
  };
  return Object.entries(profiles).flatMap(([profile, { Include = [], Exclude, Actions }]) => {
    const patterns = [
      ...Include.map((text) => ['Include', text] as const),
      ...Exclude.map((text) => ['Exclude', text] as const),
    ];
    const unmatched = patterns.filter(([, text]) => {
      const pattern = toPattern([text]);
      return ![...names].some((name) => pattern.test(name));
    });
    const actions = Object.entries(Actions).flatMap(([name, allowed]) => {
      const key = `Profiles.${profile}.Actions.${name}`;
      const tool = tools.find((one) => namesOfTool(one).some((own) => own.toLowerCase() === name.toLowerCase()));
      if (!tool)
        return [
          problem(
            key,
            `there is no tool '${name}'.`,
            name,
            tools.map(({ wireName }) => wireName),
          ),
        ];
      const { action } = tool.definition.inputSchema.properties ?? {};
      const known = typeof action === 'object' && Array.isArray(action.enum) ? action.enum.map(String) : [];
      const wrong = allowed.filter((one) => !known.includes(one));
      return wrong.map((one) => problem(key, `the tool has no action '${one}'.`, one, known));
    });
    return [
      ...unmatched.map(([list, text]) =>
        problem(`Profiles.${profile}.${list}`, `'${text}' matches nothing.`, text, [...names]),
      ),
      ...actions,
    ];
  });
}
