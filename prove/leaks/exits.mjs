import { CUT } from './shapes.mjs';

const byTool = (name) => (client, at) => client.callTool({ name, arguments: { at } }, { onprogress: () => {} });

/**
 * How a text leaves the server, and where it is seen then: by a `call` of its own, or `together` with the others of its
 * exit. An exit that `isWhole` leaves out what is too long for it, and cuts nothing.
 */
export const EXITS = {
  ...Object.fromEntries(
    ['text', 'data', 'key', 'failed', 'error', 'cause', 'question'].map((name) => [
      name,
      { call: byTool(name), source: 'messages' },
    ]),
  ),
  progress: { call: byTool('progress'), source: 'messages', isWhole: true },
  log: { call: byTool('log'), source: 'stderr', isWhole: true },
  log_field: { call: byTool('log_field'), source: 'stderr', isWhole: true },
  'stored output': { call: readStoredOutput, source: 'messages' },
  resource: { call: (client, at) => client.readResource({ uri: `leaky://${at}` }), source: 'messages' },
  prompt: {
    call: (client, at) => client.getPrompt({ name: 'prompt', arguments: { at: `${at}` } }),
    source: 'messages',
  },
  completion: {
    call: (client, at) =>
      client.complete({ ref: { type: 'ref/prompt', name: 'prompt' }, argument: { name: 'at', value: `${at}` } }),
    source: 'messages',
  },
  audit: {
    call: (client, _, text) => client.callTool({ name: 'argument', arguments: { text } }),
    source: 'audit',
    isWhole: true,
  },
  'unknown tool': { call: (client, _, text) => client.callTool({ name: text }), source: 'messages' },
  'session log': { call: readSessionLog, source: 'messages' },
  command: { together: callAll, source: 'command' },
  'metric label': { together: async (server, cases) => (await server.page()).label(cases), source: 'metrics' },
  page: {
    together: async (server, cases) => (await server.page()).show(cases),
    sources: ['page problems', 'page lists', 'page calls', 'page history'],
  },
  'mortise pack': { together: async (server, cases) => server.pack(cases), source: 'package', isWhole: true },
};

/** A program that runs in the background says the text, and its lines are read. */
async function readSessionLog(client, at) {
  const call = (args) => client.callTool({ name: 'dotnet_project', arguments: args });
  const started = await call({ action: 'Run', startMode: 'Background', appArgs: `${at}` });
  const [sessionId] = /run-[0-9a-f]{8}/.exec(JSON.stringify(started));
  // It waits for the end of the program.
  const result = await call({ action: 'Logs', sessionId, follow: true });
  for (const [uri] of JSON.stringify(result).matchAll(/mortise:\/\/outputs\/[\w-]+/g))
    await client.readResource({ uri });
}

/** One call on the command line says all texts. Those of a result share one limit, so long ones are said alone. */
async function callAll(server, cases) {
  const isLong = ({ shape }) => shape === CUT;
  const short = cases.filter((tried) => !isLong(tried));
  for (const some of [...(short.length > 0 ? [short] : []), ...cases.filter(isLong).map((tried) => [tried])]) {
    server.write(some);
    server.command();
  }
}

/** A result that is too long is stored as a whole, and can be read as a resource. */
async function readStoredOutput(client, at) {
  const result = await client.callTool({ name: 'long', arguments: { at } });
  const [uri] = /mortise:\/\/outputs\/[\w-]+/.exec(JSON.stringify(result));
  await client.readResource({ uri });
}
