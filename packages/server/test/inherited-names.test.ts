import { RPC_CODES } from '@mortise/mcp';
import { describe, expect, it } from 'vitest';
import { Operations } from '../src/access/operations.js';
import { getPrompt } from '../src/call/get-prompt.js';
import { fieldsOf } from '../src/cli/call/elicitation-form.js';
import { toLogEntry } from '../src/run/mounted/log-entry.js';

/** What every object inherits is nothing that a plugin, a client or a file has said. */
describe.each(['constructor', 'toString', '__proto__'])('the name %s', (name) => {
  it('is not an action of a tool of the server', () => {
    const operations = new Operations([]);
    const tool = { name: 'builtin.plugins', plugin: 'builtin', definition: {} } as never;
    expect(operations.of(tool, name)).toEqual({ scope: 'mortise:write', isReadOnly: false });
  });

  it('is an argument of a prompt that can be missing', async () => {
    const definition = { name: 'p', arguments: [{ name, required: true }] };
    const services = { viewOf: () => ({ findPrompt: () => ({ definition }), prompts: [] }) } as never;
    const answer = await getPrompt(services, 'p', {}, {} as never);
    expect(answer).toMatchObject({ code: RPC_CODES.invalidParams, data: { missing: [name] } });
  });

  it('is not a level of a log message of a mounted server', () => {
    expect(toLogEntry({ level: name, data: 'text' })).toEqual({ level: 'info', message: 'text' });
  });

  it('is not a type of a field of a form', () => {
    const [field] = fieldsOf({ type: 'object', properties: { a: { type: name } } } as never);
    expect(field!.read('x')).toEqual({ value: 'x' });
  });
});
