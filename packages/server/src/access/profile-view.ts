import type { PluginStatus } from '../core/plugin-status.js';
import type { Prompt, Resource, Snapshot, Tool } from '../core/snapshot.js';
import { ownNames } from './operations.js';
import { namesOfPrompt, namesOfResource, type ProfileRules } from './profile-rules.js';

/**
 * The snapshot as the intersection of these profiles shows it (docs/spec/access.md#views): everything that is not in it
 * does not exist for whoever has it.
 */
export function buildView(snapshot: Snapshot, rules: readonly ProfileRules[]): Snapshot {
  const firstParty = new Set<object>(snapshot.tools.filter((tool) => tool.isFirstParty).map(({ runner }) => runner));
  const restrict = (tool: Tool) => rules.reduce<Tool | undefined>((seen, one) => seen && one.restrict(seen), tool);
  const canRead = <T extends Resource | Prompt>(namesOf: (item: T) => string[]) => {
    return (item: T) =>
      rules.every((one) => one.allowsReading(namesOf(item), item.plugin, firstParty.has(item.runner)));
  };
  const tools = new Map(snapshot.tools.map((tool) => [tool, restrict(tool)]));
  const resources = snapshot.resources.filter(canRead(namesOfResource));
  const templates = snapshot.templates.filter(canRead(namesOfResource));
  const prompts = snapshot.prompts.filter(canRead(namesOfPrompt));
  const visiblePrompts = new Set(prompts);
  const visibleTools = [...tools.values()].filter((tool) => tool !== undefined);
  const hidden = new Set(
    snapshot.resources.filter((one) => !resources.includes(one)).map(({ definition }) => spellingOf(definition.uri!)),
  );
  return {
    tools: visibleTools,
    resources,
    templates,
    prompts,
    plugins: visiblePlugins(snapshot.plugins, { tools: visibleTools, resources, templates, prompts }, rules),
    findTool(name) {
      const tool = snapshot.findTool(name);
      return tool && tools.get(tool);
    },
    findPrompt(name) {
      const prompt = snapshot.findPrompt(name);
      return prompt && visiblePrompts.has(prompt) ? prompt : undefined;
    },
    ...(hidden.size > 0 && { hidesUri: (uri: string) => hidden.has(spellingOf(uri)) }),
  };
}

/** Two URIs that differ in escapes, case or `..` alone are one. */
function spellingOf(uri: string): string {
  let text = URL.canParse(uri) ? new URL(uri).href : uri;
  for (let round = 0; round < 3; round++) {
    try {
      text = decodeURIComponent(text);
    } catch {
      break;
    }
  }
  return (URL.canParse(text) ? new URL(text).href : text).toLowerCase();
}

/** The plugins of which anything is visible, with that alone. Their problems could name the rest. */
function visiblePlugins(
  plugins: readonly PluginStatus[],
  { tools, resources, templates, prompts }: Pick<Snapshot, 'tools' | 'resources' | 'templates' | 'prompts'>,
  rules: readonly ProfileRules[],
): PluginStatus[] {
  const seen = {
    tools: new Set(tools.map(({ wireName }) => wireName)),
    resources: new Set([...resources, ...templates].map(({ definition }) => definition.uri ?? definition.uriTemplate!)),
    prompts: new Set(prompts.map(({ definition }) => definition.name)),
  };
  return plugins.flatMap((status) => {
    const kept = {
      tools: status.tools.filter((name) => seen.tools.has(name)),
      resources: status.resources.filter((name) => seen.resources.has(name)),
      prompts: status.prompts.filter((name) => seen.prompts.has(name)),
    };
    const counts = (one: typeof kept) => one.tools.length + one.resources.length + one.prompts.length;
    const isVisible =
      counts(kept) > 0 || (counts(status) === 0 && rules.every((one) => one.includes(ownNames(status.name))));
    return isVisible ? [{ ...status, ...kept, problems: [] }] : [];
  });
}
