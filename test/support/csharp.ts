import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { hasSdk } from '../../packages/dotnet/test/sdk.js';
import { buildPluginHost } from './plugin-host.js';
import { ROOT, type Workplace } from './workplace.js';

/** Builds the plugins of `test/csharp-plugins` and the host, unless they are current. */
export function buildCsharpPlugins(): void {
  if (hasSdk) buildPluginHost();
}

/** The folder of such a plugin. */
export const csharpPlugin = (project: string): string => join(ROOT, 'dotnet/dist/test-plugins', project, 'release');

/** Copies such a plugin into the plugins folder, or a folder in it. */
export function installCsharp(workplace: Workplace, project: string, name = ''): string {
  const target = join(workplace.folder, 'plugins', name);
  mkdirSync(target, { recursive: true });
  cpSync(csharpPlugin(project), target, { recursive: true });
  return target;
}
