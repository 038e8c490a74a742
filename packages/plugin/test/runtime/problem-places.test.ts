import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPlugin } from '@mortise/plugin/testing';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'mortise-places-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;

/** The problems of a plugin in a file, with the text of the line that each names. */
async function linesOf(source: string, extension = 'mjs') {
  const file = join(folder, `plugin-${count++}.${extension}`);
  writeFileSync(file, source);
  const plugin = await openPlugin(file);
  await plugin.dispose();
  return plugin.problems.map(({ code, location }) => {
    expect(location.file).toBe(file);
    return [code, source.split('\n')[(location.line ?? 0) - 1]?.trim()];
  });
}

describe('a problem names the line', () => {
  it('of what register registered: schemas, members, names, resources, prompts', async () => {
    const source = `
      const tool = { description: 'd', inputSchema: { type: 'object' }, run: () => 'x' };
      export function register(api) {
        api.registerTool({ ...tool, name: 'bad name' }); // the name
        api.registerTool({ ...tool, name: 'a', inputSchema: { type: 'string' } }); // the schema
        api.registerTool({ ...tool, name: 'b', timout: 5, timeoutMs: -1 }); // the member
        api.registerTool({ ...tool, name: 'c', description: '' }); // the description
        api.registerTool('d', {}, () => 'x'); // the form
        api.registerResource({ uri: 'notes' }); // the resource
        api.registerPrompt({ name: 'p' }); // the prompt
      }`;
    expect(await linesOf(source)).toEqual([
      ['TOOL_NAME_INVALID', expect.stringContaining('// the name')],
      ['TOOL_SCHEMA_INVALID', expect.stringContaining('// the schema')],
      ['TOOL_MALFORMED', expect.stringContaining('// the member')],
      ['TOOL_MALFORMED', expect.stringContaining('// the form')],
      ['RESOURCE_MALFORMED', expect.stringContaining('// the resource')],
      ['PROMPT_MALFORMED', expect.stringContaining('// the prompt')],
      ['DESCRIPTION_MISSING', expect.stringContaining('// the description')],
    ]);
  });

  it('of an exported class, object or list', async () => {
    const source = `
      class Look { name = 'look'; description = 'd'; inputShema = {}; async executeAsync() {} }
      exports.Look = Look;
      exports.find = { name: 'find', executeAsync: async () => {} };
      exports.tools = [{ name: 'seek', run: () => 'x' }];`;
    expect(await linesOf(source, 'cjs')).toEqual([
      ['CLASS_MEMBER_MISSING', expect.stringContaining('class Look {')],
      ['CLASS_MEMBER_MISSING', expect.stringContaining('exports.find')],
      ['EXPORT_NOT_PLUGIN', expect.stringContaining('exports.tools')],
    ]);
  });
});

describe('what is exported and is not a plugin', () => {
  const tool = `{ name: 'look', description: 'd', inputSchema: {}, run: () => 'x' }`;

  it.each([
    [
      'a list of tools',
      `export const tools = [${tool}];`,
      "The export 'tools' is a list with a tool. Lists of tools are not loaded.",
    ],
    [
      'tools in a default export',
      `export default { name: 'p', tools: [${tool}, ${tool}] };`,
      "The export 'tools' is a list with 2 tools. Lists of tools are not loaded.",
    ],
  ])('is one problem: %s', async (_, source, message) => {
    const file = join(folder, `plugin-${count++}.mjs`);
    writeFileSync(file, source);
    const { problems } = await openPlugin(file);
    expect(problems).toMatchObject([
      { severity: 'error', code: 'EXPORT_NOT_PLUGIN', message, location: { file, line: 1 } },
    ]);
    expect(problems[0]?.hint).toContain('register');
  });

  it('is none where register registers them, or each is exported too', async () => {
    const look = { name: 'look', description: 'd', inputSchema: {}, executeAsync: async () => ({ content: [] }) };
    expect((await openPlugin({ look, all: [look] })).problems).toEqual([]);
    const register = (api: { registerTool(tool: object): void }) => api.registerTool({ ...look, run: () => 'x' });
    expect((await openPlugin({ tools: [look], register })).problems).toEqual([]);
  });

  it('names the member of a class that is misspelt, and speaks of objects where there is no class', async () => {
    class Look {
      name = 'look';
      description = 'd';
      inputShema = {};
      async executeAsync() {}
    }
    expect((await openPlugin({ Look })).problems).toMatchObject([
      {
        message:
          'Look has executeAsync but lacks inputSchema. Its member inputShema is not known. Did you mean inputSchema?',
        hint: 'Give the class the members inputSchema.',
      },
    ]);
    const look = { name: 'look', executeAsync: async () => {} };
    expect((await openPlugin({ look })).problems).toMatchObject([
      { hint: 'Give the object the members description, inputSchema.' },
    ]);
  });

  it('names the method of api that was meant', async () => {
    const register = (api: Record<string, (tool: object) => void>) => api.registertool!({});
    expect((await openPlugin({ register })).problems).toMatchObject([
      {
        code: 'REGISTER_THREW',
        message: expect.stringMatching(/registertool is not a function\. Did you mean api\.registerTool\?$/),
      },
    ]);
  });
});
