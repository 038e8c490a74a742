import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shared } from '../../../../test/support/clients.js';
import { createQuickWorkplace, runMortise } from './run-mortise.js';

const NOTES = `
export function register(api) {
  api.registerResource({ uri: 'note://today', name: 'Today', mimeType: 'text/plain', read: () => 'buy milk' });
  api.registerResource({ uri: 'note://cover', name: 'Cover', mimeType: 'image/png', read: () => new Uint8Array([1, 2, 3]) });
  api.registerPrompt({
    name: 'plan_day',
    description: 'Plans a day.',
    arguments: [{ name: 'day', required: true }],
    async get({ day }, { input }) {
      if (day !== 'ask') return 'Plan my ' + day;
      const answer = await input.elicit('which', { message: 'Which day?', schema: { type: 'object', properties: { day: { type: 'string' } } } });
      return 'Plan my ' + answer.content?.day;
    },
  });
  api.registerTool({
    name: 'pay',
    description: 'Pays for it.',
    inputSchema: { type: 'object' },
    async run(_, { input }) {
      const { action } = await input.elicitUrl('pay', { message: 'Pay for it', url: 'https://example.org/pay' });
      if (action === 'accept') input.completeUrl('pay');
      return action;
    },
  });
  api.registerTool({
    name: 'book',
    description: 'Books a table.',
    inputSchema: { type: 'object' },
    async run(_, { input }) {
      const { action, content } = await input.elicit('guests', {
        message: 'For how many?',
        schema: { type: 'object', properties: { guests: { type: 'integer' } }, required: ['guests'] },
      });
      return action === 'accept' ? { content: 'Booked', metadata: content } : action;
    },
  });
}
`;
const workplace = shared(async (finished) => createQuickWorkplace({ 'plugins/notes.mjs': NOTES }, {}, finished));
const run = (...args: string[]) => runMortise(workplace(), args);

describe('mortise read', () => {
  it.each([
    ['note://today', 'buy milk\n'],
    ['note://cover', '[image/png, 3 bytes, note://cover]\n'],
  ])('prints %s', async (uri, text) => {
    expect(await run('read', uri)).toMatchObject({ code: 0, stdout: text });
  });

  it('writes what is not text into the folder of --out', async () => {
    const { stdout, stderr } = await run('read', 'note://cover', '--out', 'covers');
    const file = join(workplace().folder, 'covers', 'image-1.png');
    expect({ stdout, stderr }).toEqual({
      stdout: `[image/png, 3 bytes, note://cover, ${file}]\n`,
      stderr: `Wrote ${file}\n`,
    });
    expect(readFileSync(file)).toEqual(Buffer.from([1, 2, 3]));
  });

  it('prints JSON', async () => {
    const { code, stdout } = await run('read', 'note://today', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      contents: [{ uri: 'note://today', mimeType: 'text/plain', text: 'buy milk' }],
    });
  });

  it('ends with 3 and a suggestion where there is no such resource', async () => {
    expect(await run('read', 'note://todya')).toMatchObject({
      code: 3,
      stdout: '',
      stderr: 'mortise: Resource not found: note://todya.\n  → Did you mean note://today?\n',
    });
  });
});

describe('mortise prompt', () => {
  it('prints the messages with their roles, or JSON', async () => {
    expect(await run('prompt', 'plan_day', '--arg', 'day=Monday')).toMatchObject({
      code: 0,
      stdout: 'user: Plan my Monday\n',
    });
    const { stdout } = await run('prompt', 'plan_day', '--arg', 'day=Monday', '--json');
    expect(JSON.parse(stdout).messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Plan my Monday' } }]);
  });

  it('takes the answer to a question', async () => {
    expect(await run('prompt', 'plan_day', '--arg', 'day=ask', '--answer', 'which=Friday')).toMatchObject({
      code: 0,
      stdout: 'user: Plan my Friday\n',
    });
  });

  it('says what is missing', async () => {
    expect(await run('prompt', 'plan_day')).toMatchObject({
      code: 3,
      stderr: "mortise: The prompt 'plan_day' needs the argument 'day'.\n",
    });
    const { code, stderr } = await run('prompt', 'plan_dya');
    expect([code, stderr]).toEqual([3, 'mortise: Unknown prompt: plan_dya.\n  → Did you mean plan_day?\n']);
  });
});

describe('mortise call', () => {
  it('takes answers to the questions of a tool, and prints structuredContent alone', async () => {
    expect(await run('call', 'book', '--answer', 'guests=4')).toMatchObject({ code: 0, stdout: 'Booked\n' });
    const { stdout } = await run('call', 'book', '--answer', 'guests={"guests": 5}', '--structured');
    expect(JSON.parse(stdout)).toEqual({ content: 'Booked', metadata: { guests: 5 } });
  });

  it('takes the answer to a question for a page, shows its URL, and says when it is done', async () => {
    expect(await run('call', 'pay', '--answer', 'pay=accept')).toMatchObject({
      code: 0,
      stdout: 'accept\n',
      stderr: 'Pay for it\n  https://example.org/pay\nThe page is done.\n',
    });
    expect(await run('call', 'pay', '--answer', 'pay=decline')).toMatchObject({ code: 0, stdout: 'decline\n' });
    const { code, stderr } = await run('call', 'pay', '--answer', 'pay=perhaps');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--answer pay must be accept, decline or cancel')]);
  });

  it.each(['guests=decline', 'guests={"action":"decline"}'])('declines a form by %s', async (answer) => {
    expect(await run('call', 'book', '--answer', answer)).toMatchObject({ code: 0, stdout: 'decline\n' });
  });

  it.each([
    ['guests=many', '--answer guests is wrong: Enter a whole number.'],
    [
      'guests={"guests":"4"}',
      "--answer guests is wrong: The answer to 'guests' does not fit the question: 'guests' must be",
    ],
    ['guests={}', "'guests' is required."],
    ['guests={"guests":', '--answer guests is not valid JSON'],
    ['other=1', "There is no answer to 'guests'."],
    ['nothing', "--answer 'nothing' is not key=value."],
  ])('takes the answer %s for a wrong command line, which is not the fault of the tool', async (answer, message) => {
    const { code, stdout, stderr } = await run('call', 'book', '--answer', answer);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });
});
