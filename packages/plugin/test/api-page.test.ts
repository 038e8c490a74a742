import { readFileSync } from 'node:fs';
import type {
  CallContext,
  CallInput,
  FailOptions,
  ITool,
  PluginContext,
  PluginOptions,
  RegisterApi,
  RegisteredPrompt,
  RegisteredResource,
  RegisteredTool,
  ToolOptions,
} from '@mortise/plugin';
import * as helpers from '@mortise/plugin';
import * as kit from '@mortise/plugin/testing';
import { describe, expect, it } from 'vitest';

const page = readFileSync(new URL('../../../docs/plugin-api.md', import.meta.url), 'utf8');

/** The text of the section with this anchor. */
const section = (anchor: string) => {
  const [, text = ''] = page.split(`<a id="${anchor}"></a>`);
  return text.split('\n## ')[1] ?? '';
};

/** The members that the first column of the tables of a section names. */
function membersIn(text: string): string[] {
  const cells = [...text.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)/g)].map(([, name = '']) => name)).sort();
}

/** The names of the members of a type: the compiler refuses a list that is not complete. */
type Members<T> = Record<keyof T, true>;
type OfTool = ToolOptions & Pick<RegisteredTool, 'inputSchema' | 'outputSchema' | 'run' | 'listed'>;

const API: Members<RegisterApi> = {
  registerTool: true,
  defineTool: true,
  registerResource: true,
  registerPrompt: true,
  resourceUpdated: true,
  resourceListChanged: true,
  getPluginsDir: true,
  reloadPlugins: true,
  getConfig: true,
  dataDir: true,
  logger: true,
  server: true,
  processes: true,
  onDispose: true,
};
const TOOL: Members<OfTool> & Members<Omit<ITool, 'executeAsync'>> & Members<RegisteredTool> = {
  name: true,
  title: true,
  description: true,
  inputSchema: true,
  outputSchema: true,
  run: true,
  annotations: true,
  icons: true,
  _meta: true,
  timeoutMs: true,
  needsTask: true,
  redaction: true,
  actions: true,
  dispose: true,
  listed: true,
};
const PLUGIN: Members<PluginOptions<undefined>> = { name: true, config: true, instructions: true, register: true };
const RESOURCE: Members<RegisteredResource> = {
  uri: true,
  uriTemplate: true,
  name: true,
  title: true,
  description: true,
  mimeType: true,
  size: true,
  annotations: true,
  icons: true,
  _meta: true,
  read: true,
  list: true,
  complete: true,
  watch: true,
};
const PROMPT: Members<RegisteredPrompt> = {
  name: true,
  title: true,
  description: true,
  icons: true,
  _meta: true,
  arguments: true,
  get: true,
};
const CONTEXT: Members<CallContext> = {
  signal: true,
  progress: true,
  logger: true,
  stream: true,
  getConfig: true,
  caller: true,
  clientCapabilities: true,
  protocolVersion: true,
  input: true,
  once: true,
};
const INPUT: Members<CallInput> = {
  elicit: true,
  elicitUrl: true,
  completeUrl: true,
  sample: true,
  roots: true,
  all: true,
};
const CLASS_CONTEXT: Members<PluginContext> = { getConfig: true, logger: true };
const FAIL: Members<FailOptions> = {
  code: true,
  category: true,
  hint: true,
  explanation: true,
  suggestedFixes: true,
  alternatives: true,
  documentationUrl: true,
  data: true,
  exitCode: true,
  metadata: true,
  lockInfo: true,
  errors: true,
  codes: true,
  structured: true,
  output: true,
};
const OPEN: Members<kit.OpenOptions> = { config: true, dataDir: true, blockedAfterMs: true };
const TEST_PLUGIN: Members<kit.TestPlugin> = {
  definition: true,
  tools: true,
  problems: true,
  logs: true,
  updatedResources: true,
  resourceListChanges: true,
  reloads: true,
  callTool: true,
  readResource: true,
  listResources: true,
  subscribe: true,
  getPrompt: true,
  complete: true,
  dispose: true,
};
const CALL: Members<kit.CallOptions> = {
  signal: true,
  timeoutMs: true,
  caller: true,
  clientCapabilities: true,
  answers: true,
  inputMode: true,
  unsafeOutput: true,
};

const names = (...lists: object[]) => lists.flatMap((list) => Object.keys(list)).sort();

describe('docs/plugin-api.md', () => {
  it.each([
    ['definePlugin', PLUGIN],
    ['api', API],
    ['tool', TOOL],
    ['resource', RESOURCE],
    ['prompt', PROMPT],
    ['context', CONTEXT],
  ])('names all members of %s, and no others', (anchor, members) => {
    expect(membersIn(section(anchor))).toEqual(names(members));
  });

  it('names all helpers, and no others', () => {
    expect(membersIn(section('helpers'))).toEqual(names(helpers));
  });

  it('names all of the test kit, and no others', () => {
    expect(membersIn(section('kit'))).toEqual(names(kit, OPEN, TEST_PLUGIN, CALL));
  });

  it('names all ways to ask, and what the constructor of a class gets', () => {
    for (const member of names(INPUT, CLASS_CONTEXT)) expect(section('context')).toContain(`\`${member}\``);
  });

  it('leads to a list of all options of fail', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const [, text = ''] = readme.split('## Errors that help');
    for (const option of names(FAIL)) expect(text.split('\n## ')[0]).toContain(`\`${option}\``);
  });
});
