import { preparedDefinition } from '@mortise/dotnet/definition';
import { loadPlugin, type PluginHost } from '@mortise/plugin/runtime';
import { expect, it, onTestFinished } from 'vitest';
import { SETTINGS_SCHEMA } from '../../server/src/settings/settings-table.js';
import * as plugin from '../src/index.js';

const defaultsOf = ({ properties }: { properties: Readonly<Record<string, { readonly default: unknown }>> }) =>
  Object.fromEntries(Object.entries(properties).map(([name, row]) => [name, row.default]));
const { Dotnet, Sessions, Concurrency, Output } = SETTINGS_SCHEMA.properties;
const DEFAULTS = {
  ...{ Dotnet: defaultsOf(Dotnet), Sessions: defaultsOf(Sessions) },
  ...{ Concurrency: defaultsOf(Concurrency), Output: defaultsOf(Output) },
};

const ABSENT = '/absent/dotnet';
const SETTINGS = [
  { enabled: true, tools: [], path: '' },
  { enabled: true, tools: ['dotnet_project', 'dotnet_sdk'], path: '' },
  { enabled: 'auto', tools: [], path: process.execPath },
  { enabled: 'auto', tools: [], path: ABSENT },
  { enabled: 'auto', tools: ['dotnet_sdk'], path: ABSENT },
] as const;

it.each(SETTINGS)('what was prepared for %o is what the plugin registers', async (settings) => {
  const { enabled, tools, path } = settings;
  const host = {
    pluginName: 'dotnet',
    server: { name: 'mortise', version: '1.0.0' },
    config: { ...DEFAULTS, Dotnet: { ...DEFAULTS.Dotnet, Enabled: enabled, Tools: tools.join(','), Path: path } },
    processes: {},
    log() {},
  } as unknown as PluginHost;
  const registered = await loadPlugin(plugin, { file: 'index.js', host });
  onTestFinished(() => registered.dispose());
  const prepared = preparedDefinition(settings);
  expect(prepared.tools.length).toBe(tools.length || 13);
  // Where a tool is defined is left out of what is prepared.
  const places = registered.definition.tools.map(({ definedAt: _, ...tool }) => tool);
  expect(prepared).toEqual({ ...registered.definition, tools: places });
});

it('a setting that the server does not give is named', async () => {
  const config = { ...DEFAULTS, Sessions: {} };
  const host = { pluginName: 'dotnet', config, processes: {}, log() {} } as unknown as PluginHost;
  const { problems } = (await loadPlugin(plugin, { file: 'index.js', host })).definition;
  const message = expect.stringContaining('The setting Sessions.KeepMs is missing.');
  expect(problems).toMatchObject([{ code: 'REGISTER_THREW', message }]);
});

it('the schema of dotnet_project says which actions take a property, and what each action requires', () => {
  const { tools } = preparedDefinition(SETTINGS[0]);
  const project = tools.find(({ name }) => name === 'dotnet_project')!;
  const actions = Object.entries(project.actions!);
  const { action, ...properties } = project.inputSchema.properties as Record<string, { description: string }>;
  const mismatches = Object.entries(properties).filter(([name, { description }]) => {
    const [, not, listed = ''] = /^(not )?([A-Z][A-Za-z,]*): /.exec(description) ?? [];
    const named = (one: string) => listed === '' || listed.split(',').includes(one) !== (not !== undefined);
    const takes = ({ required = [], optional = [] }: { required?: readonly string[]; optional?: readonly string[] }) =>
      [...required, ...optional].includes(name);
    return name !== 'waitSeconds' && actions.some(([one, row]) => named(one) !== takes(row));
  });
  expect(mismatches).toEqual([]);
  expect(action!.description).toContain('Stop,Logs: sessionId; SetProperty: propertyName or properties;');
});
