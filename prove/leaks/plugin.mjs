/** A plugin that says the texts of a file by each exit; CommonJS, with the path of the file for TEXTS. */
export const PLUGIN = `
const { readFileSync } = require('node:fs');
const textOf = (at) => JSON.parse(readFileSync(TEXTS, 'utf8'))[at];
const asText = (text) => ({ content: [{ type: 'text', text }] });
module.exports.register = (api) => {
  const tool = (name, run) => api.registerTool({ name, description: 'd', inputSchema: { type: 'object' }, run });
  tool('text', ({ at }) => asText(textOf(at)));
  tool('data', ({ at }) => ({ content: [], structuredContent: { note: textOf(at) } }));
  tool('key', ({ at }) => ({ content: [], structuredContent: { [textOf(at)]: 1 } }));
  tool('long', ({ at }) => asText(textOf(at) + '\\nmore'.repeat(10_000)));
  tool('failed', ({ at }) => ({ ...asText(textOf(at)), isError: true }));
  tool('error', ({ at }) => { throw new Error(textOf(at)); });
  tool('cause', ({ at }) => { throw new Error('failed', { cause: new Error(textOf(at)) }); });
  tool('progress', ({ at }, { progress }) => { progress.report(50, textOf(at)); return 'ok'; });
  tool('log', ({ at }, { logger }) => { logger.info(textOf(at)); return 'ok'; });
  tool('log_field', ({ at }, { logger }) => { logger.info('noted', { note: textOf(at) }); return 'ok'; });
  tool('question', async ({ at }, { input }) => {
    const schema = { type: 'object', properties: { a: { type: 'string', description: textOf(at) } } };
    await input.elicit('q', { message: textOf(at), schema });
    return 'ok';
  });
  tool('argument', () => 'ok');
  tool('all', () => ({ content: JSON.parse(readFileSync(TEXTS, 'utf8')).map((text) => ({ type: 'text', text })) }));
  api.registerResource({ uriTemplate: 'leaky://{at}', name: 'r', read: (_, { at }) => textOf(at) });
  const argument = { name: 'at', complete: (at) => [textOf(at)] };
  api.registerPrompt({ name: 'prompt', description: 'd', arguments: [argument], get: ({ at }) => textOf(at) });
};
`;

/** A program for `dotnet` whose `dotnet run -- <at>` says a text; the Node.js and the path of the file are to be filled in. */
export const DOTNET = `#!NODE
const { readFileSync } = require('node:fs');
const [command, ...args] = process.argv.slice(2);
if (command === 'run') {
  const at = Number(args.at(-1));
  const stream = at % 2 === 0 ? process.stdout : process.stderr;
  stream.write(JSON.parse(readFileSync(TEXTS, 'utf8'))[at] + '\\n');
}
`;
