import { createRequire } from 'node:module';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { VERSIONS } from '../support/clients.js';
import { ROOT } from '../support/workplace.js';
import { type ClientUnderTest, type ConnectedClient, deferred, type Target } from './client.js';
import type { Feature } from './features.js';

// biome-ignore lint/suspicious/noExplicitAny: what the two generations of the official client have in common has no type
type Any = any;

const INFO = { name: 'mortise-test', version: '1' };
const OPTIONS = { capabilities: { elicitation: { form: {} } } };
const NOTE = 'notes://today';
const ANSWER = { action: 'accept', content: { name: 'Ada' } } as const;

const textOf = ({ content }: Any): string => content[0].text;

/** What differs between the generations: how handlers are set, and how changes are asked for. */
interface Wiring {
  onRequest(method: 'elicitation/create', handler: () => object): void;
  onNotification(method: string, handler: (params: Any) => void): void;
  /** Asks to be told of changes of the resource, or of the list of tools. */
  watch(what: 'resource' | 'tools'): Promise<unknown>;
}

function features(client: Any, { onRequest, onNotification, watch }: Wiring): Record<Feature, () => Promise<unknown>> {
  const updated = deferred<string>();
  const toolsChanged = deferred<void>();
  onRequest('elicitation/create', () => ANSWER);
  onNotification('notifications/resources/updated', ({ uri }) => updated.resolve(uri));
  onNotification('notifications/tools/list_changed', () => toolsChanged.resolve());
  const call = (name: string, args: object = {}) => client.callTool({ name, arguments: args });
  const toolNames = async (): Promise<string[]> => (await client.listTools()).tools.map(({ name }: Any) => name);
  return {
    tools: toolNames,
    'structured output': async () => (await call('add', { a: 2, b: 3 })).structuredContent,
    async error() {
      const { isError, structuredContent } = await call('fails');
      return { isError, code: structuredContent.errors[0].code };
    },
    async progress() {
      const reports: unknown[] = [];
      const onprogress = (report: unknown) => {
        reports.push(report);
        void call('finish');
      };
      return { text: textOf(await client.steps(onprogress)), reports };
    },
    elicitation: async () => textOf(await call('greet')),
    resource: async () => (await client.readResource({ uri: NOTE })).contents[0].text,
    async subscription() {
      await watch('resource');
      await call('touch');
      return updated.promise;
    },
    prompt: async () =>
      textOf({
        content: [(await client.getPrompt({ name: 'greeting', arguments: { name: 'Ada' } })).messages[0].content],
      }),
    async completion() {
      const ref = { type: 'ref/prompt', name: 'greeting' };
      return (await client.complete({ ref, argument: { name: 'name', value: 'A' } })).completion.values;
    },
    async 'list change'() {
      await watch('tools');
      await call('grow');
      await toolsChanged.promise;
      return (await toolNames()).includes('added');
    },
  };
}

/** The official client v2, `@modelcontextprotocol/client`. */
export const OFFICIAL_V2: ClientUnderTest[] = VERSIONS.map((version) => ({
  name: 'official client v2',
  version,
  cannot: {},
  async connect(target, finished): Promise<ConnectedClient> {
    const mode = version === '2025-11-25' ? ('legacy' as const) : { pin: version };
    const client = new Client(INFO, { versionNegotiation: { mode }, ...OPTIONS });
    const used = features(
      Object.assign(client, {
        steps: (onprogress: Any) => client.callTool({ name: 'steps', arguments: {} }, { onprogress }),
      }),
      {
        onRequest: (method, handler) => client.setRequestHandler(method, handler as Any),
        onNotification: (method, handler) =>
          client.setNotificationHandler(method as Any, ({ params }: Any) => handler(params)),
        watch(what) {
          if (version === '2026-07-28')
            return client.listen(what === 'tools' ? { toolsListChanged: true } : { resourceSubscriptions: [NOTE] });
          return what === 'tools' ? Promise.resolve() : client.subscribeResource({ uri: NOTE });
        },
      },
    );
    finished(() => client.close());
    await client.connect(
      target.transport === 'stdio'
        ? new StdioClientTransport(stdioOf(target))
        : new StreamableHTTPClientTransport(new URL(target.url)),
    );
    return { version: client.getNegotiatedProtocolVersion() ?? '', use: (feature) => used[feature]() };
  },
}));

/** Of `npm ci --prefix bench`; undefined where it was not run. */
export function loadOfBench(name: string): Any {
  const require = createRequire(`${ROOT}bench/package.json`);
  try {
    return require(name);
  } catch {
    return undefined;
  }
}

const V1 = loadOfBench('@modelcontextprotocol/sdk/client/index.js');

/** The official client v1, `@modelcontextprotocol/sdk`. */
export const OFFICIAL_V1: ClientUnderTest = {
  name: 'official client v1',
  version: '2025-11-25',
  missing: V1 ? undefined : 'run `npm ci --prefix bench`',
  cannot: {},
  async connect(target, finished): Promise<ConnectedClient> {
    const schemas = loadOfBench('@modelcontextprotocol/sdk/types.js');
    const client = new V1.Client(INFO, OPTIONS);
    const handlers: Record<string, Any> = {
      'elicitation/create': schemas.ElicitRequestSchema,
      'notifications/resources/updated': schemas.ResourceUpdatedNotificationSchema,
      'notifications/tools/list_changed': schemas.ToolListChangedNotificationSchema,
    };
    const steps = (onprogress: Any) => client.callTool({ name: 'steps', arguments: {} }, undefined, { onprogress });
    const used = features(Object.assign(client, { steps }), {
      onRequest: (method, handler) => client.setRequestHandler(handlers[method], handler),
      onNotification: (method, handler) =>
        client.setNotificationHandler(handlers[method], ({ params }: Any) => handler(params)),
      watch: async (what) => what === 'resource' && client.subscribeResource({ uri: NOTE }),
    });
    finished(() => client.close());
    const transport = transportOfV1(target);
    const negotiated = deferred<string>();
    const { setProtocolVersion } = transport;
    transport.setProtocolVersion = (version: string) => {
      negotiated.resolve(version);
      setProtocolVersion?.call(transport, version);
    };
    await client.connect(transport);
    return { version: await negotiated.promise, use: (feature) => used[feature]() };
  },
};

function transportOfV1(target: Target): Any {
  if (target.transport === 'stdio') {
    const { StdioClientTransport: Stdio } = loadOfBench('@modelcontextprotocol/sdk/client/stdio.js');
    return new Stdio(stdioOf(target));
  }
  const { StreamableHTTPClientTransport: Http } = loadOfBench('@modelcontextprotocol/sdk/client/streamableHttp.js');
  return new Http(new URL(target.url));
}

export function stdioOf({ command, args, workplace }: Extract<Target, { transport: 'stdio' }>) {
  return { command, args, env: workplace.env, cwd: workplace.folder, stderr: 'ignore' as const };
}
