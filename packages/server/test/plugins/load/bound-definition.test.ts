import { describe, expect, it } from 'vitest';
import { checkDefinition } from '../../../src/plugins/load/check-definition.js';
import { DEFAULT_LIMITS } from '../../../src/settings/plugin-limits.js';

const FILE = '/plugins/p.mjs';
const EMPTY = { tools: [], resources: [], prompts: [], problems: [] };
const check = (lists: object, limits: Partial<typeof DEFAULT_LIMITS> = {}) =>
  checkDefinition({ ...EMPTY, ...lists }, { file: FILE, prefix: '', limits: { ...DEFAULT_LIMITS, ...limits } });
const tool = (more: object = {}) => ({
  name: 't',
  description: 'd',
  inputSchema: { type: 'object' },
  origin: 'registerTool',
  ...more,
});
const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));
const tools = (count: number) => many(count, (index) => tool({ name: `t${index}` }));
const prompt = (more: object = {}) => ({ name: 'p', arguments: [], completes: [], ...more });
const template = (uriTemplate: string) => ({ uriTemplate, name: 'n', completes: [] });

describe('what a plugin offers beyond its limits is dropped, and the rest stays', () => {
  it.each([
    ['Tools', { tools: tools(100_000) }, 'The plugin has 100,000 tools; Plugins.Limits.Tools allows 1,000'],
    [
      'Resources',
      { resources: many(6000, (index) => ({ uri: `a://${index}`, name: 'n', completes: [] })) },
      'The plugin has 6,000 resources; Plugins.Limits.Resources allows 5,000',
    ],
    [
      'Templates',
      { resources: many(300, (index) => template(`a://${index}/{b}`)) },
      'The plugin has 300 resource templates; Plugins.Limits.Templates allows 200',
    ],
    [
      'Prompts',
      { prompts: many(1001, (index) => prompt({ name: `p${index}` })) },
      'The plugin has 1,001 prompts; Plugins.Limits.Prompts allows 1,000',
    ],
    [
      'EntryBytes',
      { tools: [tool({ inputSchema: { type: 'object', description: 'x'.repeat(300_000) } }), tool({ name: 'u' })] },
      "'t' has more than 262,144 bytes; Plugins.Limits.EntryBytes allows 262,144",
    ],
    [
      'DescriptionChars',
      { tools: [tool({ description: 'x'.repeat(60_000) }), tool({ name: 'u' })] },
      "'t' has 60,000 characters; Plugins.Limits.DescriptionChars allows 50,000",
    ],
    [
      'DescriptionChars',
      { prompts: [prompt({ arguments: [{ name: 'a', description: 'x'.repeat(60_000) }] }), prompt({ name: 'q' })] },
      "'p' has 60,000 characters; Plugins.Limits.DescriptionChars allows 50,000",
    ],
    [
      'PromptArguments',
      { prompts: [prompt({ arguments: many(101, (index) => ({ name: `a${index}` })) }), prompt({ name: 'q' })] },
      "'p' has 101 arguments; 100 are allowed",
    ],
    [
      'TemplateVariables',
      { resources: [template(`a://${'{b}/'.repeat(15)}{?c,d,e,f,g,h}`), template('a://{b}')] },
      'has 21 variables; 20 are allowed',
    ],
    [
      'UriChars',
      { resources: [{ uri: `a://${'x'.repeat(9000)}`, name: 'n', completes: [] }, template('a://{b}')] },
      'has 9,004 characters; Plugins.Limits.UriChars allows 8,192',
    ],
    [
      'DefinitionBytes',
      { tools: many(20, (index) => tool({ name: `t${index}`, inputSchema: { description: 'x'.repeat(200_000) } })) },
      'The plugin has more than 2,097,152 bytes; Plugins.Limits.DefinitionBytes allows 2,097,152',
    ],
  ])('by %s: %#', async (limit, lists, message) => {
    const checked = await check(lists);
    const refused = checked.problems.filter(({ code }) => code === 'LIMIT_EXCEEDED');
    expect(refused).toEqual([
      {
        severity: 'error',
        code: 'LIMIT_EXCEEDED',
        message: expect.stringContaining(message),
        hint:
          limit in DEFAULT_LIMITS
            ? `Reduce it, or raise Plugins.Limits.${limit} if you trust the plugin.`
            : 'Reduce it.',
        location: expect.objectContaining({ file: FILE }),
      },
    ]);
    const { tools, resources, prompts } = checked;
    const count = [...tools, ...resources, ...prompts].length;
    const total = Object.values(lists).flat().length;
    const allowed = DEFAULT_LIMITS[limit as keyof typeof DEFAULT_LIMITS];
    expect(count).toBe(['Tools', 'Resources', 'Templates', 'Prompts'].includes(limit) ? allowed : count);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(total);
  });

  it('but nothing of what is at its limits', async () => {
    const resources = many(200, (index) => template(`a://${index}/{b}`));
    const checked = await check({ tools: tools(1000), resources, prompts: [prompt()] });
    expect([checked.tools.length, checked.resources.length, checked.prompts.length]).toEqual([1000, 200, 1]);
    expect(checked.problems).toEqual([]);
  });

  it('and of many entries only the first are told of one by one', async () => {
    const large = many(50, (index) => tool({ name: `t${index}`, description: 'x'.repeat(2000) }));
    const { tools, problems } = await check({ tools: large }, { DescriptionChars: 1000 });
    expect(tools).toEqual([]);
    expect(problems).toHaveLength(11);
    expect(problems.at(-1)!.message).toMatch(/; so do 40 more entries$/);
  });

  it('also of problems that a process tells of itself', async () => {
    const problem = (message: string) => ({
      severity: 'error',
      code: 'TOOL_MALFORMED',
      message,
      hint: 'h',
      location: {},
    });
    const problems = [problem('x'.repeat(300_000)), ...many(1000, (index) => problem(`m${index}`))];
    expect((await check({ problems })).problems.length).toBeLessThan(500);
  });
});
