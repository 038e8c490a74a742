import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shared } from './support/clients.js';
import { openRaw, type Raw } from './support/raw-stdio.js';
import { createWorkplace, ROOT } from './support/workplace.js';

const page = (name: string) => readFileSync(join(ROOT, 'test/cases', name), 'utf8');
const examplesOf = (name: string, language: string) =>
  new Map(
    [...page(name).matchAll(new RegExp(`## (.+)\\n\\n\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\``, 'g'))].map(
      ([, title = '', code = '']) => [title, code] as const,
    ),
  );

const EXAMPLES = examplesOf('workbench-examples.md', 'js');
const STRUCTURE = 'Plugin Structure';
const toolNameOf = (title: string) => title.toLowerCase().replaceAll(' ', '_');
const returning = [...EXAMPLES].filter(([title]) => title !== STRUCTURE);

/** A tool for each example of a result, whose code is the example. */
const RESULTS = `module.exports.register = (api) => {
${returning
  .map(
    ([title, code]) =>
      `api.registerTool({ name: '${toolNameOf(title)}', inputSchema: { type: 'object' }, run: () => { ${code} } });`,
  )
  .join('\n')}
};`;

/** What the example of a whole plugin calls, and does not show. */
const DO_SOMETHING = `function doSomething(param) {
  if (param === 'bad') throw new Error('it is bad');
  return 'did ' + param;
}
`;

/** What each example comes to: the members of the result that the document has a word for. */
const EXPECTED: Record<string, object> = {
  'Simple text response': { content: [{ type: 'text', text: 'The temperature is 72°F' }] },
  'Structured response with metadata': {
    content: [{ type: 'text', text: 'Current temperature in Mount Sterling: 29°F (-2°C) - Overcast' }],
    structuredContent: { metadata: { temperature: 29, feelsLike: 19, humidity: 61, windSpeed: 12 } },
  },
  'Error response': {
    isError: true,
    content: [
      { type: 'text', text: 'Could not fetch temperature for InvalidCity' },
      { type: 'text', text: 'Error: City not found' },
    ],
    structuredContent: {
      errors: [{ message: 'City not found', rawOutput: 'Could not fetch temperature for InvalidCity' }],
      metadata: { attempted: 'InvalidCity' },
    },
  },
  'Multiple content blocks': {
    content: [
      { type: 'text', text: 'Weather Report:' },
      { type: 'text', text: 'Temperature: 72°F' },
      { type: 'text', text: 'Humidity: 65%' },
    ],
  },
};

describe('the examples of the published Workbench plugin API (test/cases/workbench-examples.md)', () => {
  const opened = shared(async (finished) => {
    const files = {
      'plugins/results.js': RESULTS,
      'plugins/structure.js': DO_SOMETHING + EXAMPLES.get(STRUCTURE),
    };
    const raw = await openRaw(createWorkplace(files, { Plugins: { Directory: 'plugins' } }, finished), '2025-11-25');
    finished(() => raw.close());
    return raw;
  });
  const call = async (name: string, args: object = {}): Promise<Raw> =>
    (await opened().request('tools/call', { name, arguments: args })).result;

  it.each(returning.map(([title]) => title))('comes to what the document says: %s', async (title) => {
    expect(await call(toolNameOf(title))).toMatchObject(EXPECTED[title]!);
  });

  it('runs the example of a plugin, with its result and its error', async () => {
    expect(await call('category_toolName', { param: 'x' })).toMatchObject({
      content: [{ type: 'text', text: 'did x' }],
      structuredContent: { metadata: { processedAt: expect.stringMatching(/^\d{4}-.*Z$/) } },
    });
    expect(await call('category_toolName', { param: 'bad' })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'Failed to process: it is bad' }],
      structuredContent: { errors: [{ message: 'it is bad' }], metadata: { input: { param: 'bad' } } },
    });
    const missing = await call('category_toolName');
    expect(missing.structuredContent.errors[0]).toMatchObject({ code: 'INVALID_PARAMS' });
  });
});

describe('the examples of the published plugin API for C# (test/cases/csharp-examples.md)', () => {
  it('are in the plugin that test/plugin-host.test.ts runs, word for word', () => {
    const plain = (text: string) => text.replaceAll(/\s+/g, ' ');
    const source = plain(readFileSync(join(ROOT, 'dotnet/fixtures/Documented/DocumentedTools.cs'), 'utf8'));
    const examples = [...examplesOf('csharp-examples.md', 'csharp')];
    expect(examples).toHaveLength(5);
    for (const [title, code] of examples) expect(source, title).toContain(plain(code));
  });
});
