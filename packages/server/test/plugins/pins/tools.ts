import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PluginDefinition, ToolDefinition } from '@mortise/plugin/runtime';
import { onTestFinished } from 'vitest';

/** A temporary folder of a test's own, removed after it. */
export function temporaryFolder(): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'mortise-pins-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const tool = (name: string, members: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name,
  description: 'Gets the weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
  origin: 'registerTool',
  ...members,
});

/** What a plugin with these tools offers. */
export const offering = (...tools: ToolDefinition[]): PluginDefinition => ({
  tools,
  resources: [],
  prompts: [],
  problems: [],
});

export const asIs = <T>(value: T): T => value;
