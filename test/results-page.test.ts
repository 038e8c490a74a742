import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutCallId } from './support/call-id.js';
import { createClient, stdioTransport } from './support/clients.js';
import { createWireCheck, expectValid } from './support/wire-check.js';
import { linkContract, makeWorkplace, ROOT, removeWorkplace, type Workplace } from './support/workplace.js';

const PAGE = join(ROOT, 'docs/results.md');
const page = readFileSync(PAGE, 'utf8');

/** The pairs of the page: the members of a tool, and the result of a call; with how the tool is made. */
const pairs = [...page.matchAll(/```js\n([\s\S]*?)```\n\n```json\n([\s\S]*?)```/g)].map(
  ([, members = '', result = ''], index, { [index]: match }) => ({
    name: `tool_${index}`,
    members,
    result,
    style: /defineTool/.test(
      page
        .slice(0, match!.index)
        .match(/^## .*$/gm)!
        .at(-1)!,
    )
      ? 'defineTool'
      : 'registerTool',
  }),
);

const PLUGIN = `import { fail, ok } from '@mortise/plugin';
export function register(api) {
${pairs.map(({ name, members, style }) => `api.${style}({ name: '${name}', description: 'd', inputSchema: { type: 'object' }, ${members} });`).join('\n')}
}
`;

describe('docs/results.md', () => {
  let workplace: Workplace;
  const client = createClient('2025-11-25');
  const wire = createWireCheck();
  beforeAll(async () => {
    workplace = makeWorkplace({ 'plugins/shapes.mjs': PLUGIN }, { Plugins: { Directory: 'plugins' } });
    linkContract(workplace);
    await client.connect(stdioTransport(workplace, [], wire));
  });
  afterAll(async () => {
    await client.close();
    expectValid(wire);
    removeWorkplace(workplace);
  });

  it('has pairs of both styles', () => {
    expect(pairs.map(({ style }) => style)).toContain('registerTool');
    expect(pairs.length).toBeGreaterThan(10);
  });

  it.each(pairs)('shows what $name gives: $members', async ({ name, result }) => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: {} });
    const shown = {
      content,
      ...(structuredContent !== undefined && {
        structuredContent: isError ? withoutCallId(structuredContent as Record<string, unknown>) : structuredContent,
      }),
      ...(isError && { isError }),
    };
    const text = JSON.stringify(shown).replace(/\\n( {4})?at (?:[^\\"]|\\n\s+at )*/g, '\\n$1at …');
    expect(text).toBe(JSON.stringify(JSON.parse(result)));
  });
});
