import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/workplace.js';

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Row {
  readonly definitions: readonly string[];
  readonly members: readonly string[];
  readonly decision: string;
  readonly how?: string;
}

const FOLDER = `${ROOT}test/conformance/schema`;
const VERSIONS = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
const TABLE: readonly Row[] = JSON.parse(readFileSync(`${ROOT}test/cases/mounted-members.json`, 'utf8'));

/** `Tool.execution`, `ServerCapabilities.tools.listChanged`: every member that a published schema of MCP has. */
function membersIn(file: string): string[] {
  const { $defs } = JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as { $defs: Record<string, Schema> };
  return Object.entries($defs).flatMap(([name, schema]) => membersOf(name, schema));
}

function membersOf(path: string, { properties = {}, items, allOf = [], anyOf = [], oneOf = [] }: Schema): string[] {
  const parts = [...allOf, ...anyOf, ...oneOf, ...(items ? [items] : [])];
  return [
    ...parts.flatMap((part) => membersOf(path, part)),
    ...Object.entries(properties).flatMap(([name, member]) => [
      `${path}.${name}`,
      ...membersOf(`${path}.${name}`, member),
    ]),
  ];
}

const decided = new Set(
  TABLE.flatMap(({ definitions, members }) =>
    definitions.flatMap((definition) => members.map((member) => `${definition}.${member}`)),
  ),
);
const isDecided = (member: string) => decided.has(member) || decided.has(`*${member.slice(member.indexOf('.'))}`);

describe('what passes between clients and mounted servers', () => {
  it.each(VERSIONS)('is decided for each member of the published schema %s', (file) => {
    const members = membersIn(file);
    expect(members.length).toBeGreaterThan(400);
    expect(members.filter((member) => !isDecided(member))).toEqual([]);
  });

  it('is decided for nothing that no schema has', () => {
    const known = new Set(VERSIONS.flatMap(membersIn));
    const names = new Set([...known].map((member) => member.slice(member.indexOf('.'))));
    const row = ({ definitions, members }: Row) =>
      members.filter((member) =>
        definitions.every((name) => (name === '*' ? !names.has(`.${member}`) : !known.has(`${name}.${member}`))),
      );
    expect(TABLE.flatMap(row)).toEqual([]);
  });

  it('has a reason wherever it does not pass as it is', () => {
    for (const { decision, how = '' } of TABLE) {
      expect(['passed', 'changed', 'own', 'dropped']).toContain(decision);
      if (decision !== 'passed') expect(how).not.toBe('');
    }
  });
});
