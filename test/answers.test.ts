import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { OFFICIAL } from './mounted-servers/mounted.js';
import { connect, shared, VERSIONS } from './support/clients.js';
import { codeOf, textOf } from './support/observe.js';
import { openRaw, type Raw } from './support/raw-stdio.js';
import { createWorkplace, linkNodeModules } from './support/workplace.js';

const FORM = `{
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2 },
    host: { enum: ['a', 'b'], default: 'a' },
  },
  required: ['name'],
}`;

const REGISTERED = `
import { writeFileSync } from 'node:fs';
import { z } from 'zod';
export function register(api) {
  const asks = (name, schema) => api.registerTool({
    name, description: 'd', inputSchema: { type: 'object' },
    async run(_, { input }) {
      const { action, content } = await input.elicit('p', { message: 'Which?', schema });
      if (action === 'accept') writeFileSync(new URL('effect', import.meta.url), JSON.stringify(content));
      return JSON.stringify({ action, content });
    },
  });
  asks('registered', ${FORM});
  asks('standard', z.object({
    name: z.string().min(2).transform((name) => name.toUpperCase()),
    host: z.enum(['a', 'b']).default('a'),
  }));
  asks('nested', z.object({ name: z.object({ first: z.string() }) }));
  api.registerTool({
    name: 'keyless', description: 'd', inputSchema: { type: 'object' },
    run: (_, { input }) => input.elicit({ message: 'Which?', schema: ${FORM} }),
  });
}`;

const CLASS = `
import { writeFileSync } from 'node:fs';
export default class Asks {
  name = 'class_asks';
  description = 'd';
  inputSchema = { type: 'object' };
  async executeAsync(_args, _progress, _signal, { input }) {
    const { action, content } = await input.elicit('p', { message: 'Which?', schema: ${FORM} });
    if (action === 'accept') writeFileSync(new URL('effect', import.meta.url), JSON.stringify(content));
    return JSON.stringify({ action, content });
  }
}`;

const KINDS = ['registered', 'class_asks', 'standard', 'mcp_old_ask_old', 'mcp_new_ask'];

/** docs/spec/plugin-questions.md#answers */
describe.each(VERSIONS)('an answer of a client of %s', (version) => {
  let answer: () => object;
  const opened = shared(async (finished) => {
    const McpServers = { old: OFFICIAL.legacy, new: OFFICIAL.modern };
    const files = { 'plugins/r.mjs': REGISTERED, 'plugins/c.mjs': CLASS };
    const workplace = createWorkplace(files, { Plugins: { Directory: 'plugins', McpServers } }, finished);
    linkNodeModules(workplace);
    const prepare = (client: Client) => client.setRequestHandler('elicitation/create', () => answer() as never);
    const options = { capabilities: { elicitation: { form: {} } } };
    const client = await connect(workplace, { transport: 'stdio', version }, options, prepare, [], finished);
    return { client, effect: join(workplace.folder, 'plugins/effect') };
  });
  const call = (name: string, given: object) => {
    answer = () => ({ action: 'accept', content: given });
    return opened().client.callTool({ name, arguments: {} });
  };

  it.each(KINDS)('that does not fit the question ends the call of %s before any effect', async (name) => {
    const result = await call(name, { name: 5, host: 'zzz' });
    expect(codeOf(result)).toBe('ANSWER_INVALID');
    expect(textOf(result)).toMatch(/The answer to '(p|Which\?|Who\?)' does not fit the question: 'name' /);
    expect(existsSync(opened().effect)).toBe(false);
  });

  it('has the defaults of its schema, and what a Standard Schema makes of it', async () => {
    for (const name of ['registered', 'class_asks']) {
      expect(JSON.parse(textOf(await call(name, { name: 'Ada' })))).toEqual({
        action: 'accept',
        content: { name: 'Ada', host: 'a' },
      });
    }
    expect(JSON.parse(textOf(await call('standard', { name: 'Ada' })))).toEqual({
      action: 'accept',
      content: { name: 'ADA', host: 'a' },
    });
    expect(textOf(await call('mcp_new_ask', { name: 'Ada' }))).toBe('Hello Ada');
  });

  it('is not asked for by a schema that MCP does not have, nor without a key', async () => {
    expect(textOf(await call('nested', {}))).toContain(
      "Question 'p': 'name' is an object. MCP can only ask for texts, numbers",
    );
    expect(textOf(await call('keyless', {}))).toContain('elicit(key, {message, schema}): the key is missing.');
  });

  it.runIf(version === '2025-11-25').each([
    ['registered', -32601, 'CAPABILITY_NOT_AVAILABLE'],
    ['registered', -32603, 'QUESTION_FAILED'],
    ['mcp_old_ask_old', -32601, 'CAPABILITY_NOT_AVAILABLE'],
    ['mcp_new_ask', -32000, 'QUESTION_FAILED'],
  ])('that is an error ends the call of %s (%i) with a code of its own', async (name, code, expected) => {
    answer = () => {
      throw Object.assign(new Error('No one is there'), { code });
    };
    const result = await opened().client.callTool({ name, arguments: {} });
    expect(codeOf(result)).toBe(expected);
    expect(textOf(result)).toContain('No one is there');
    expect(textOf(result)).not.toContain('Its author can return fail');
  });
});

it('ends the call after Tools.AnswerWaitMs if it never comes', async () => {
  const settings = { Plugins: { Directory: 'plugins' }, Tools: { AnswerWaitMs: 100 } };
  const raw = await openRaw(createWorkplace({ 'plugins/c.mjs': CLASS }, settings), '2025-11-25');
  try {
    const { result } = await raw.request('tools/call', { name: 'class_asks', arguments: {} });
    expect(codeOf(result)).toBe('ANSWER_TIMEOUT');
    const asked = await raw.find(({ method }: Raw) => method === 'elicitation/create');
    const isCancel = ({ method, params }: Raw) => method === 'notifications/cancelled' && params.requestId === asked.id;
    await raw.find(isCancel);
  } finally {
    await raw.close();
  }
});
