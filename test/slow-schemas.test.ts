import { expect, it } from 'vitest';
import { connect } from './support/clients.js';
import { codeOf, textOf } from './support/observe.js';
import { createWorkplace } from './support/workplace.js';

const plugin = (name: string, pattern: string) => `module.exports.register = (api) => api.registerTool({
  name: '${name}', description: 'd', run: ({ text }) => text,
  inputSchema: { type: 'object', properties: { text: { type: 'string', pattern: ${JSON.stringify(pattern)} } } },
});`;

it('a plugin whose pattern takes forever delays no plugin with another pattern, and can be repaired', async () => {
  const endless = { text: `${'a'.repeat(40)}!` };
  const workplace = createWorkplace({
    'plugins/bad.cjs': plugin('bad', '^(a+)+$'),
    'plugins/good.cjs': plugin('good', '^[a-z]+$'),
  });
  const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
  const call = (name: string, args: Record<string, unknown>, signal?: AbortSignal) =>
    client.callTool({ name, arguments: args }, { ...(signal && { signal }) });
  const goodCall = async () => textOf(await call('good', { text: 'here' }));
  expect([await goodCall(), textOf(await call('bad', { text: 'aa' }))]).toEqual(['here', 'aa']);

  // Each of them takes a second, and they wait for one another.
  const cancel = new AbortController();
  const slow = call('bad', endless);
  const others = Array.from({ length: 10 }, () => call('bad', endless, cancel.signal).catch(() => 'cancelled'));
  const good = (async () => {
    for (let i = 0; i < 5; i++) expect(await goodCall()).toBe('here');
    return 'good';
  })();
  expect(await Promise.race([good, Promise.all(others)])).toBe('good');
  cancel.abort();
  const result = await slow;
  expect(codeOf(result)).toBe('TOOL_ERROR');
  expect(textOf(result)).toContain(
    "The arguments could not be checked against the tool's inputSchema: it took more than 1 s",
  );
  expect(codeOf(await call('good', { text: 'HERE' }))).toBe('INVALID_PARAMS');

  workplace.write('plugins/bad.cjs', plugin('bad', '^a+!$'));
  await call('builtin.plugins', { action: 'Reload' });
  expect(textOf(await call('bad', endless))).toBe(endless.text);
});
