import type { PluginStatus } from '../core/plugin-status.js';
import type { Prompt, Resource, Snapshot, Tool } from '../core/snapshot.js';
import { settingsNames } from './operations.js';
import { namesOfPrompt, namesOfResource, type ProfileRules } from './profile-rules.js';

/**
 * Restricts a snapshot to the intersection of these profiles (docs/spec/access.md#views). For a principal with the
 * view, nothing else exists.
 * @param rules of each profile
 */
export function buildView(snapshot: Snapshot, rules: readonly ProfileRules[]): Snapshot {
  const firstPartyRunners = new Set<object>(
    snapshot.tools.filter((tool) => tool.isFirstParty).map(({ runner }) => runner),
  );
  const restrict = (tool: Tool) =>
    rules.reduce<Tool | undefined>((restricted, profile) => restricted && profile.restrict(restricted), tool);
  const canRead = <T extends Resource | Prompt>(namesOf: (item: T) => string[]) => {
    return (item: T) => {
      const owner = { plugin: item.plugin, isFirstParty: firstPartyRunners.has(item.runner) };
      return rules.every((profile) => profile.allowsReading(namesOf(item), owner));
    };
  };
  const restrictedTools = new Map(snapshot.tools.map((tool) => [tool, restrict(tool)]));
  const tools = [...restrictedTools.values()].filter((tool) => tool !== undefined);
  const resources = snapshot.resources.filter(canRead(namesOfResource));
  const templates = snapshot.templates.filter(canRead(namesOfResource));
  const prompts = snapshot.prompts.filter(canRead(namesOfPrompt));
  const visiblePrompts = new Set(prompts);
  const hiddenUris = new Set(
    snapshot.resources
      .filter((resource) => !resources.includes(resource))
      .map(({ definition }) => canonicalUri(definition.uri!)),
  );
  return {
    tools,
    resources,
    templates,
    prompts,
    plugins: visiblePlugins(snapshot.plugins, { tools, resources, templates, prompts }, rules),
    findTool(name) {
      const tool = snapshot.findTool(name);
      return tool && restrictedTools.get(tool);
    },
    findPrompt(name) {
      const prompt = snapshot.findPrompt(name);
      return prompt && visiblePrompts.has(prompt) ? prompt : undefined;
    },
    ...(hiddenUris.size > 0 && { hidesUri: (uri: string) => hiddenUris.has(canonicalUri(uri)) }),
  };
}

/** Returns the same text for URIs that differ only in escapes, case or `..`. */
function canonicalUri(uri: string): string {
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

/**
 * Returns the status of plugins of which anything is visible, without hidden names. Problems could contain such names.
 */
function visiblePlugins(
  plugins: readonly PluginStatus[],
  { tools, resources, templates, prompts }: Pick<Snapshot, 'tools' | 'resources' | 'templates' | 'prompts'>,
  rules: readonly ProfileRules[],
): PluginStatus[] {
  const visible = {
    tools: new Set(tools.map(({ wireName }) => wireName)),
    resources: new Set([...resources, ...templates].map(({ definition }) => definition.uri ?? definition.uriTemplate!)),
    prompts: new Set(prompts.map(({ definition }) => definition.name)),
  };
  return plugins.flatMap((status) => {
    const visibleNames = {
      tools: status.tools.filter((name) => visible.tools.has(name)),
      resources: status.resources.filter((name) => visible.resources.has(name)),
      prompts: status.prompts.filter((name) => visible.prompts.has(name)),
    };
    const countOf = (names: typeof visibleNames) => names.tools.length + names.resources.length + names.prompts.length;
    const isEmptyButIncluded = () =>
      countOf(status) === 0 && rules.every((profile) => profile.includes(settingsNames(status.name)));
    return countOf(visibleNames) > 0 || isEmptyButIncluded() ? [{ ...status, ...visibleNames, problems: [] }] : [];
  });
}
