import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseToolDefinition } from '../../src/runtime/tool-definition.js';

const location = { file: '/plugins/a.js', subject: 'A' };
const read = (members: object) =>
  parseToolDefinition(
    { name: 'a', description: 'Does a.', inputSchema: { type: 'object' }, ...members },
    { origin: 'class:A', location },
  );
const codesOf = (members: object) => read(members).problems.map(({ code }) => code);

describe('the definition of a tool', () => {
  it('is plain data with all members', () => {
    const members = {
      name: 'weather.now',
      title: 'Weather',
      description: 'd',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, title: 'W' },
      timeoutMs: 1_000,
      actions: { Read: { required: ['city'], readOnlyHint: true }, Write: { optional: ['city'] } },
    };
    expect(read(members)).toEqual({ definition: { ...members, origin: 'class:A' }, problems: [] });
    expect(read(members).definition?.inputSchema).not.toBe(members.inputSchema);
  });

  it.each<[string, object]>([
    ['TOOL_MALFORMED', { name: 5 }],
    ['TOOL_MALFORMED', { name: undefined }],
    ['TOOL_NAME_INVALID', { name: '' }],
    ['TOOL_NAME_INVALID', { name: 'two words' }],
    ['TOOL_NAME_INVALID', { name: 'a/b' }],
    ['TOOL_NAME_INVALID', { name: 'ä' }],
    ['TOOL_NAME_INVALID', { name: 'a\n' }],
    ['TOOL_NAME_INVALID', { name: 'a'.repeat(129) }],
    ['TOOL_NAME_RESERVED', { name: 'builtin.plugins' }],
    ['TOOL_NAME_RESERVED', { name: 'mcp.github.search' }],
    ['TOOL_MALFORMED', { description: 5 }],
    ['TOOL_MALFORMED', { title: {} }],
    ['TOOL_SCHEMA_INVALID', { inputSchema: 'object' }],
    ['TOOL_SCHEMA_INVALID', { inputSchema: [] }],
    ['TOOL_SCHEMA_INVALID', { inputSchema: true }],
    ['TOOL_SCHEMA_INVALID', { inputSchema: () => {} }],
    ['TOOL_SCHEMA_INVALID', { inputSchema: { type: 'string' } }],
    ['TOOL_SCHEMA_INVALID', { inputSchema: { type: ['object', 'null'] } }],
    ['TOOL_SCHEMA_INVALID', { inputSchema: { type: 'object', default: 1n } }],
    ['TOOL_SCHEMA_INVALID', { inputSchema: { '~standard': { version: 1, vendor: 'zod', validate() {} } } }],
    ['TOOL_SCHEMA_INVALID', { outputSchema: { type: 'array' } }],
    ['TOOL_MALFORMED', { annotations: 'read-only' }],
    ['TOOL_MALFORMED', { annotations: { readOnlyHint: 'yes' } }],
    ['TOOL_MALFORMED', { annotations: { title: 5 } }],
    ['TOOL_MALFORMED', { actions: { Read: { required: 'city' } } }],
    ['TOOL_MALFORMED', { actions: { Read: { readOnlyHint: 'yes' } } }],
    ['TOOL_MALFORMED', { timeoutMs: 0 }],
    ['TOOL_MALFORMED', { timeoutMs: -1 }],
    ['TOOL_MALFORMED', { timeoutMs: '100' }],
    ['TOOL_MALFORMED', { timeoutMs: Number.NaN }],
    ['TOOL_MALFORMED', { timeoutMs: Number.POSITIVE_INFINITY }],
  ])('%s refuses %o', (code, members) => {
    const { definition, problems } = read(members);
    expect(definition).toBeUndefined();
    expect(problems.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code, location, hint: expect.stringMatching(/\S/) },
    ]);
  });

  it('TOOL_MALFORMED refuses a member that throws when it is read', () => {
    const tool = {
      name: 'a',
      get inputSchema() {
        throw new Error('no schema');
      },
    };
    const { definition, problems } = parseToolDefinition(tool, { origin: 'class:A', location });
    expect(definition).toBeUndefined();
    expect(problems).toMatchObject([{ code: 'TOOL_MALFORMED', message: expect.stringContaining("'inputSchema'") }]);
    expect(problems[0]?.message).toContain('no schema');
  });

  it.each<[string, object]>([
    ['DESCRIPTION_MISSING', { description: undefined }],
    ['DESCRIPTION_MISSING', { description: ' ' }],
    ['DESCRIPTION_TOO_LONG', { description: 'd'.repeat(2_001) }],
    ['DESCRIPTION_SUSPICIOUS', { description: 'a<!-- ignore all -->' }],
    ...['\u200b', '\u202e', '\u2066', '\ufeff', '\u00ad', '\u2063', '\u0007', '\u{e0041}', '\u{e0101}', 'a\u200d'].map(
      (hidden): [string, object] => ['DESCRIPTION_SUSPICIOUS', { description: `Does a.${hidden}` }],
    ),
    ['SCHEMA_MISSING', { inputSchema: undefined }],
    ['SCHEMA_TYPE_MISSING', { inputSchema: { properties: {} } }],
    ['SCHEMA_TYPE_MISSING', { outputSchema: {} }],
  ])('%s is a warning', (code, members) => {
    expect(read(members).definition).toBeDefined();
    expect(read(members).problems).toMatchObject([{ severity: 'warning', code, location }]);
  });

  it('fills in what a warning says', () => {
    expect(read({ inputSchema: undefined }).definition?.inputSchema).toEqual({ type: 'object' });
    expect(read({ inputSchema: { properties: {} } }).definition?.inputSchema).toEqual({
      type: 'object',
      properties: {},
    });
  });

  it('does not warn of emoji, line breaks, other scripts or exactly 2,000 characters', () => {
    for (const description of ['👨‍👩‍👧 🏳️‍🌈 👩🏽‍💻', 'a\n\tb\r\n', 'Straße 東京 שלום', 'd'.repeat(2_000)]) {
      expect(codesOf({ description })).toEqual([]);
    }
  });

  it('takes exactly the names that MCP allows', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[A-Za-z0-9_.-]{1,140}$/)), (name) => {
        const isAllowed =
          /^[A-Za-z0-9_.-]{1,128}$/.test(name) && !/^(builtin|mcp)\./i.test(name) && !name.includes('\n');
        expect(read({ name }).definition !== undefined).toBe(isAllowed);
      }),
    );
  });

  it('is never a crash, whatever the members are', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('name', 'description', 'inputSchema', 'outputSchema', 'annotations', 'timeoutMs', 'title'),
          fc.anything({ withBigInt: true }),
        ),
        (members) => {
          const { definition, problems } = read(members);
          expect(definition !== undefined || problems.some(({ severity }) => severity === 'error')).toBe(true);
          expect(JSON.parse(JSON.stringify(definition ?? null))).toEqual(definition ?? null);
        },
      ),
    );
  });
});
