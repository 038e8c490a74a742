import {
  Agent,
  createServer,
  type Server as HttpServer,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, McpServer as SdkMcpServer } from '@modelcontextprotocol/server';
import { createHttpEndpoint } from '@mortise/mcp/http';
import type { HttpSample } from './generated-http.js';
import { createOurs, SDK_OPTIONS, setSdkHandlers, TOOL, type Verdict } from './judged-servers.js';

/** A server that listens on a port of loopback. */
export interface Listening {
  readonly port: number;
  close(): void;
}

/** Our endpoint. */
export function listenOurs(): Promise<Listening> {
  const toolSchema = (name: string) => (name === TOOL.name ? TOOL.inputSchema : undefined);
  const endpoint = createHttpEndpoint(createOurs(), { toolSchema });
  return listen(createServer((req, res) => endpoint.handle(req, res)));
}

/** The SDK's handler, which serves nothing but 2026-07-28. */
export function listenSdk(): Promise<Listening> {
  return listen(createServer(toNodeHandler(createMcpHandler(createSdkMcpServer, { legacy: 'reject' }))));
}

/** The SDK compares `Mcp-Param-*` only for tools that are registered with its upper class. */
function createSdkMcpServer(): SdkMcpServer {
  const mcp = new SdkMcpServer(...SDK_OPTIONS);
  mcp.registerTool(TOOL.name, { inputSchema: fromJsonSchema(TOOL.inputSchema) }, () => ({ content: [] }));
  setSdkHandlers(mcp.server);
  return mcp;
}

async function listen(http: HttpServer): Promise<Listening> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as { port: number };
  return {
    port,
    close() {
      http.close();
      http.closeAllConnections();
    },
  };
}

const agent = new Agent({ keepAlive: true });

/** The status, and how the message is answered: as over stdio, or `empty`. Of a stream only the first message counts. */
export function httpVerdictOf({ port }: Listening, { httpMethod, headers, body }: HttpSample): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path: '/mcp', method: httpMethod, headers, agent };
    const req = httpRequest(options, (res) => {
      firstMessage(res).then((text) => resolve(`${res.statusCode} ${text}`), reject);
    });
    req.on('error', reject);
    req.end(body);
  });
}

async function firstMessage(res: IncomingMessage): Promise<string> {
  const isStream = res.headers['content-type']?.startsWith('text/event-stream');
  let text = '';
  res.setEncoding('utf8');
  for await (const chunk of res) {
    text += chunk;
    const event = isStream ? /^data: ?(.+)$/m.exec(text)?.[1] : undefined;
    if (event !== undefined) return `stream ${nameOf(event)}`;
  }
  return text === '' ? 'empty' : nameOf(text);
}

function nameOf(json: string): string {
  const { method, error } = JSON.parse(json);
  return method ?? (error ? String(error.code) : 'result');
}
