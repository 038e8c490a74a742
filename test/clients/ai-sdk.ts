import type { ClientUnderTest, ConnectedClient } from './client.js';
import type { Feature } from './features.js';
import { loadOfBench, stdioOf } from './official.js';

// biome-ignore lint/suspicious/noExplicitAny: `bench` installs it, so its types are not there
type Any = any;

const MODULE = loadOfBench('@ai-sdk/mcp');
const NO_NOTIFICATIONS = 'it refuses notifications';

/**
 * The client of the AI SDK, `@ai-sdk/mcp`: an implementation of its own. It stands for clients that are not built on the
 * official SDK; the package fastmcp has no client.
 */
export const AI_SDK: ClientUnderTest = {
  name: '@ai-sdk/mcp',
  version: '2025-11-25',
  missing: MODULE ? undefined : 'run `npm ci --prefix bench`',
  cannot: {
    progress: 'it sends no progress token',
    subscription: `it has no method for it, and ${NO_NOTIFICATIONS}`,
    'list change': NO_NOTIFICATIONS,
  },
  async connect(target, finished): Promise<ConnectedClient> {
    const { createMCPClient, ElicitationRequestSchema } = MODULE;
    const transport = target.transport === 'stdio' ? stdioTransport(target) : httpTransport(target.url);
    const client = await createMCPClient({ transport, capabilities: { elicitation: { form: {} } } });
    finished(() => client.close());
    client.onElicitationRequest(ElicitationRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
    const used = features(client);
    return { version: client.transport.protocolVersion, use: (feature) => used[feature]!() };
  },
};

function stdioTransport(target: Any): Any {
  const { Experimental_StdioMCPTransport: Stdio } = loadOfBench('@ai-sdk/mcp/mcp-stdio');
  return new Stdio(stdioOf(target));
}

const httpTransport = (url: string): Any => ({ type: 'http', url });

function features(client: Any): Partial<Record<Feature, () => Promise<unknown>>> {
  const call = async (name: string, args: object = {}) => {
    const tools = await client.tools();
    return tools[name].execute(args, { messages: [], toolCallId: name });
  };
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }: Any) => name),
    'structured output': async () => (await call('add', { a: 2, b: 3 })).structuredContent,
    async error() {
      const { isError, structuredContent } = await call('fails');
      return { isError, code: structuredContent.errors[0].code };
    },
    elicitation: async () => (await call('greet')).content[0].text,
    resource: async () => (await client.readResource({ uri: 'notes://today' })).contents[0].text,
    async prompt() {
      const { messages } = await client.experimental_getPrompt({ name: 'greeting', arguments: { name: 'Ada' } });
      return messages[0].content.text;
    },
    async completion() {
      const ref = { type: 'ref/prompt', name: 'greeting' };
      return (await client.complete({ ref, argument: { name: 'name', value: 'A' } })).completion.values;
    },
  };
}
