import { preparedDefinition } from '@mortise/dotnet/definition';
import { describe, expect, it } from 'vitest';
import { Operations } from '../../src/access/operations.js';
import { ProfileRules, READ_ONLY } from '../../src/access/profile-rules.js';
import type { Tool } from '../../src/core/snapshot.js';

const tools = preparedDefinition({ enabled: true, tools: [], path: '' }).tools.map(
  (definition) =>
    ({
      name: definition.name,
      wireName: definition.name,
      plugin: 'dotnet',
      isFirstParty: true,
      definition,
      advertisedInputSchema: definition.inputSchema,
    }) as unknown as Tool,
);
const packageTool = tools.find(({ name }) => name === 'dotnet_package')!;
const operations = new Operations([]);

describe('package List', () => {
  it.each([
    ['reads', {}, 'mortise:read'],
    ['reads with other parameters', { includeTransitive: true, project: 'a.csproj' }, 'mortise:read'],
    ['writes with outdated', { outdated: true }, 'mortise:write'],
    ['writes with deprecated', { deprecated: true }, 'mortise:write'],
    ['writes with vulnerable', { vulnerable: true }, 'mortise:write'],
    ['writes with a flag as text, which the tool takes for true', { vulnerable: 'true' }, 'mortise:write'],
    ['writes with one of two', { outdated: false, vulnerable: true }, 'mortise:write'],
    ['reads with a flag that is false', { outdated: false }, 'mortise:read'],
    ['reads with a flag that is null', { outdated: null }, 'mortise:read'],
  ])('%s', (_, args, scope) => {
    expect(operations.of(packageTool, 'List', args)).toEqual({ scope, isReadOnly: scope === 'mortise:read' });
  });

  it('has none of these parameters in a profile that only reads', () => {
    const shown = new ProfileRules(READ_ONLY, operations).restrict(packageTool)!;
    const { actions, inputSchema } = shown.definition;
    const names = ['outdated', 'deprecated', 'vulnerable'];
    for (const schema of [inputSchema, shown.advertisedInputSchema]) {
      expect(Object.keys(schema.properties ?? {})).toContain('includeTransitive');
      expect(Object.keys(schema.properties ?? {}).filter((name) => names.includes(name))).toEqual([]);
      expect(schema.additionalProperties).toBe(false);
    }
    expect(actions!.List!.optional).toContain('includeTransitive');
    expect(actions!.List!.optional!.filter((name) => names.includes(name))).toEqual([]);
    expect(actions).not.toHaveProperty('Audit');
  });
});

it('a description names every parameter with which an action that reads does more', () => {
  const named = tools.flatMap(({ name, definition: { description, actions } }) =>
    Object.entries(actions ?? {}).flatMap(([action, { writesWith = [] }]) =>
      writesWith.map((parameter) => ({ name, action, parameter, description })),
    ),
  );
  expect(named.length).toBeGreaterThan(0);
  for (const { parameter, description } of named) {
    expect(description).toMatch(new RegExp(`\\b${parameter}\\b(?: writes|[^:)]*: these [^)]*restore)`));
  }
});
