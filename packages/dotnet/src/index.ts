import type { RegisterApi } from '@mortise/plugin';
import { toRegisteredTool } from './actions/dotnet-tool.js';
import { registerPrompts } from './prompts/prompts.js';
import { registerResources } from './resources/resources.js';
import { createServices, type Services } from './services.js';
import { readSettings } from './settings.js';
import { TOOLS } from './tools/index.js';

export { ownTexts } from './advice/codes/code-catalog.js';

/**
 * Registers the .NET SDK as thirteen tools. If `Dotnet.Enabled` is `auto`, they are listed only if `dotnet` can be found.
 * A call of a tool that is not listed fails with CAPABILITY_NOT_AVAILABLE (docs/spec/dotnet-tools.md#enabled).
 */
export async function register(api: RegisterApi): Promise<void> {
  const settings = readSettings(api.getConfig);
  if (settings.enabled === false) return;
  const tools = TOOLS.filter(({ name }) => settings.tools.length === 0 || settings.tools.includes(name));
  const baseServices = createServices(
    api,
    settings,
    tools.map(({ name }) => name),
  );
  api.onDispose(() => baseServices.close());
  await baseServices.writeJournal.undoInterrupted().catch((error) => api.logger.warn(error.message));
  const isListed = settings.enabled === true || baseServices.hasDotnet();
  const services: Services = { ...baseServices, isListed };
  for (const tool of tools) api.registerTool(toRegisteredTool(tool, services, isListed));
  if (!isListed) return;
  registerResources(api, services);
  registerPrompts(api, services);
}
